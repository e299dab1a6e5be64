/**
 * Gives the SDK its credentials from the environment, where Lambda puts them.
 *
 * Bundled in the place of the SDK's own chain of providers, which looks there first: what it would try next, profiles, sign-on, roles and
 * an instance's metadata, would be a third of all the code.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env'
