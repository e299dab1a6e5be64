import type { Network } from './feeds/registry.ts'

/** What an environment decides on a network, as its functions are told. */
export interface NetworkSettings {
  /** The parameter that holds the RPC URLs; undefined is a deployment that has none. */
  readonly rpcUrlsParameter: string | undefined
  /** How old the chain's head may be; infinite for a chain that makes no blocks when idle. */
  readonly maxHeadAgeSeconds: number
}

/** Parses a network's settings from the environment variables, which nothing else reads. */
export function parseSettings(network: Network): NetworkSettings {
  const limit = Number(process.env[`MAX_HEAD_AGE_SECONDS_${network.toUpperCase()}`] ?? Number.POSITIVE_INFINITY)
  return {
    rpcUrlsParameter: process.env[`RPC_URLS_PARAMETER_${network.toUpperCase()}`],
    // Without a limit that can be understood nothing is believed, rather than everything.
    maxHeadAgeSeconds: Number.isNaN(limit) ? 0 : limit,
  }
}
