import { GetParametersCommand, SSMClient, SSMServiceException } from '@aws-sdk/client-ssm'
import { type Network, networks, ofEachNetwork } from '../api/networks.ts'
import { Problem } from '../api/problems.ts'
import type { EndpointFault } from './faults.ts'
import { isLoopback, toHost } from './rpc-host.ts'
import { findAgreement, findRpcUrlsParameter } from './settings.ts'
import {
  isWithin,
  parameterStoreConnectMs,
  parameterStoreMs,
  parameterStoreResponseMs,
  rpcUrlsTtlMs,
} from './timing.ts'

type RpcUrls = Readonly<Record<Network, readonly URL[] | undefined>>

/** URLs or a problem, and the fault of Parameter Store if this load had one. */
interface Loaded<Urls> {
  readonly rpcUrls: Urls | Problem
  readonly faults: readonly EndpointFault[]
}

const client = new SSMClient({
  maxAttempts: 2,
  requestHandler: {
    connectionTimeout: parameterStoreConnectMs,
    requestTimeout: parameterStoreResponseMs,
    throwOnRequestTimeout: true,
  },
})

/** What a warm container caches, and when it asked Parameter Store last. */
let cached: { readonly rpcUrls: RpcUrls; readonly askedAt: number } | undefined

/**
 * Loads the URLs at which a network's chain is read, in order of preference (D22).
 *
 * Asks Parameter Store once per container and minute, for all networks at once. The request waits for it.
 *
 * @returns the problem `not-configured` when the network's parameter is missing or unusable, `chain-unavailable` when
 *   Parameter Store does not respond and no URLs are cached
 * @example
 * const { rpcUrls, faults } = await loadRpcUrls('mainnet')
 */
export async function loadRpcUrls(network: Network): Promise<Loaded<readonly URL[]>> {
  const { rpcUrls, faults } =
    cached !== undefined && isWithin(rpcUrlsTtlMs, cached.askedAt) ? { ...cached, faults: [] } : await load()
  return { rpcUrls: rpcUrls instanceof Problem ? rpcUrls : (rpcUrls[network] ?? new Problem('not-configured')), faults }
}

/** The load under way, which simultaneous requests share. */
let loading: Promise<Loaded<RpcUrls>> | undefined

/** Loads the URLs of all networks with one call. If it fails or returns no usable URLs, the stale URLs stay cached. */
function load(): Promise<Loaded<RpcUrls>> {
  loading ??= fetchRpcUrls()
    .then(cacheFetched, cacheStale)
    .finally(() => {
      loading = undefined
    })
  return loading
}

const fault: EndpointFault = { kind: 'parameter-store' }

function cacheFetched(fetched: RpcUrls): Loaded<RpcUrls> {
  const rpcUrls = ofEachNetwork(network => fetched[network] ?? cached?.rpcUrls[network])
  const isStale = networks.some(network => rpcUrls[network] !== fetched[network])
  cached = { rpcUrls, askedAt: Date.now() }
  return { rpcUrls, faults: isStale ? [fault] : [] }
}

function cacheStale(error: unknown): Loaded<RpcUrls> {
  if (cached === undefined && isRefusal(error)) return { rpcUrls: new Problem('not-configured'), faults: [] }
  if (cached === undefined) return { rpcUrls: new Problem('chain-unavailable'), faults: [fault] }
  cached = { ...cached, askedAt: Date.now() }
  return { rpcUrls: cached.rpcUrls, faults: [fault] }
}

async function fetchRpcUrls(): Promise<RpcUrls> {
  const names = ofEachNetwork(findRpcUrlsParameter)
  const command = new GetParametersCommand({
    Names: [...new Set(Object.values(names).filter(name => name !== undefined))],
    WithDecryption: true,
  })
  const controller = new AbortController()
  const timeout = setTimeout(() => controller.abort(), parameterStoreMs)
  try {
    const { Parameters = [] } = await client.send(command, { abortSignal: controller.signal })
    const values = new Map(Parameters.map(({ Name, Value }) => [Name, Value]))
    return ofEachNetwork(network => parseRpcUrls(values.get(names[network])))
  } finally {
    clearTimeout(timeout)
  }
}

/**
 * Parses one to three URLs, separated by white space or commas.
 *
 * @returns undefined when anything else is among them, or when they have too few hosts
 */
function parseRpcUrls(value: string | undefined): readonly URL[] | undefined {
  const texts = value?.split(/[\s,]/).filter(text => text !== '') ?? []
  const rpcUrls = texts.map(text => URL.parse(text)).filter(isAllowed)
  const hosts = new Set(rpcUrls.map(toHost))
  return rpcUrls.length === texts.length && rpcUrls.length <= 3 && hosts.size >= findAgreement() ? rpcUrls : undefined
}

/** Whether the functions accept an RPC URL: https, or http with a loopback host; without a user name. */
export function isAllowed(rpcUrl: URL | null): rpcUrl is URL {
  if (rpcUrl === null) return false
  const { protocol, username, password } = rpcUrl
  if (username !== '' || password !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(rpcUrl))
}

/** Whether Parameter Store refused the request for good. A failure without a response has no HTTP status. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof SSMServiceException) || error.name.startsWith('Throttling')) return false
  const { httpStatusCode = 0 } = error.$metadata
  return httpStatusCode >= 400 && httpStatusCode < 500 && httpStatusCode !== 429
}
