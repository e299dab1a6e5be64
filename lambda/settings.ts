import type { Network } from './networks.ts'

/** A network's settings in the deployed environment. */
export interface NetworkSettings {
  /** The name of the parameter that holds the RPC URLs; undefined if the deployment has none. */
  readonly rpcUrlsParameter: string | undefined
  /** How old the latest block may be; infinite for a chain that makes no blocks when idle. */
  readonly maxHeadAgeSeconds: number
}

/** Parses a network's settings from the environment variables. Only this file reads them. */
export function parseSettings(network: Network): NetworkSettings {
  const limit = Number(process.env[`MAX_HEAD_AGE_SECONDS_${network.toUpperCase()}`] ?? Number.POSITIVE_INFINITY)
  return {
    rpcUrlsParameter: process.env[`RPC_URLS_PARAMETER_${network.toUpperCase()}`],
    // A limit that is not a number accepts no block, rather than every block.
    maxHeadAgeSeconds: Number.isNaN(limit) ? 0 : limit,
  }
}

/** Parses the URL at which callers find the API, without a slash at its end; undefined for the one that a request came to. */
export function parsePublicBaseUrl(): string | undefined {
  return process.env['PUBLIC_BASE_URL'] || undefined
}
