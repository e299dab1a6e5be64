import type { Network } from '../lambda/feeds/registry.ts'

/** What differs between two deployments of the service. */
export interface Environment {
  /** Whether the stage cache runs; it costs money by the hour, asked or not. */
  readonly cache: boolean
  /** How many requests each method takes before it answers 429. */
  readonly throttling: { readonly requestsPerSecond: number; readonly burst: number }
  /** Days that the functions' logs are kept. */
  readonly logRetentionDays: 7 | 30 | 365
  /** Existing parameters with RPC URLs, by network: for URLs with a key. The stack creates the others, with the chain's public URL. */
  readonly rpcUrlsParameters: Partial<Record<Network, string>>
}

/** A deployment, and the name that its resources carry. */
export interface NamedEnvironment extends Environment {
  readonly name: string
}

/** The deployments that there are, by name. */
export const environments: Readonly<Record<string, Environment>> = {
  dev: {
    cache: true,
    throttling: { requestsPerSecond: 20, burst: 40 },
    logRetentionDays: 7,
    rpcUrlsParameters: {},
  },
  prod: {
    cache: true,
    throttling: { requestsPerSecond: 200, burst: 400 },
    logRetentionDays: 30,
    rpcUrlsParameters: {},
  },
}

/** Finds a deployment by its name. */
export function findEnvironment(name: unknown): NamedEnvironment | undefined {
  if (typeof name !== 'string' || !Object.hasOwn(environments, name)) return undefined
  const environment = environments[name]
  return environment && { name, ...environment }
}
