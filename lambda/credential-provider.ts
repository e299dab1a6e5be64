/**
 * Takes the SDK's credentials from the environment variables that Lambda sets.
 *
 * This module is bundled in place of the SDK's default chain of providers. That chain tries these variables first too,
 * and its other providers would be a third of the bundle.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env'
