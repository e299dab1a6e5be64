import type { Network } from '../api/networks.ts'

// The functions' environment variables. Only this file reads them.

/** Finds the name of the parameter that holds a network's RPC URLs; undefined if the deployment has none. */
export function findRpcUrlsParameter(network: Network): string | undefined {
  return process.env[`RPC_URLS_PARAMETER_${network.toUpperCase()}`]
}

/** Finds the API's public URL, without a slash at its end; undefined if it is the URL that a request came to. */
export function findPublicBaseUrl(): string | undefined {
  return process.env['PUBLIC_BASE_URL'] || undefined
}

/** Finds how many endpoints must return the same rows: 1, or 2. */
export function findAgreement(): 1 | 2 {
  return process.env['AGREEMENT'] === '2' ? 2 : 1
}
