/**
 * Takes the SDK's credentials from the environment variables that Lambda sets.
 *
 * Bundled in place of the SDK's default chain of providers, which tries these variables first. The rest of that chain
 * would be a third of the bundle.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env'
