import { GetParametersCommand, SSMClient, SSMServiceException } from '@aws-sdk/client-ssm'
import type { EndpointFault } from './faults.ts'
import { type Network, networks, ofEachNetwork } from './networks.ts'
import { Problem } from './problems.ts'
import { findRpcUrlsParameter } from './settings.ts'
import {
  parameterStoreConnectMs,
  parameterStoreMs,
  parameterStoreResponseMs,
  rpcUrlsRetryMs,
  rpcUrlsTtlMs,
} from './timing.ts'

type RpcUrls = Readonly<Record<Network, readonly URL[] | undefined>>

/** RPC URLs or a problem, and the fault of Parameter Store if this call had one. */
interface Loaded<Value> {
  readonly rpcUrls: Value
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

/** The result of one call to Parameter Store. Stale URLs stay cached when it fails or returns none that can be used. */
type LoadResult = Loaded<RpcUrls | Problem>

// What a warm container caches, by the wall clock: monotonic clocks may stand still while a container is frozen.
let cached: { readonly rpcUrls: RpcUrls; readonly loadedAt: number; readonly freshUntil: number } | undefined
let loading: Promise<LoadResult> | undefined

/**
 * Loads the URLs at which a network's chain is read, in order of preference (D22).
 *
 * Asks Parameter Store once per container and every five minutes, for all networks at once.
 *
 * @returns the problem `not-configured` when the network's parameter is missing or unusable, `chain-unavailable` when Parameter Store does not
 *   answer and no URLs are cached
 * @example
 * const { rpcUrls, faults } = await loadRpcUrls('mainnet')
 */
export async function loadRpcUrls(network: Network): Promise<Loaded<readonly URL[] | Problem>> {
  const current = cached !== undefined && Date.now() < cached.freshUntil ? cached.rpcUrls : undefined
  // A missing parameter may be there by now, but not every request looks for it.
  const isEnough = current?.[network] !== undefined || (current !== undefined && wasJustLoaded())
  const { rpcUrls, faults } = isEnough ? { rpcUrls: current, faults: [] } : await load(parameterStoreMs)
  return { rpcUrls: rpcUrls instanceof Problem ? rpcUrls : (rpcUrls[network] ?? new Problem('not-configured')), faults }
}

/**
 * Finds other URLs after every endpoint refused these, so that a rotated key is picked up without a deploy.
 *
 * @returns `undefined` in place of the URLs when there are no others, or they were loaded just now: a refused key must not flood Parameter Store
 */
export async function reloadRpcUrls(
  network: Network,
  refused: readonly URL[],
  timeoutMs: number,
): Promise<Loaded<readonly URL[] | undefined>> {
  if (timeoutMs <= 0) return { rpcUrls: undefined, faults: [] }
  const known = cached?.rpcUrls[network]
  const isOther = known !== undefined && String(known) !== String(refused)
  const { rpcUrls, faults } =
    isOther || wasJustLoaded()
      ? { rpcUrls: cached?.rpcUrls, faults: [] }
      : await load(Math.min(parameterStoreMs, timeoutMs))
  const found = rpcUrls instanceof Problem ? undefined : rpcUrls?.[network]
  return { rpcUrls: String(found) === String(refused) ? undefined : found, faults }
}

function wasJustLoaded(): boolean {
  return cached !== undefined && Date.now() < cached.loadedAt + rpcUrlsRetryMs
}

function load(timeoutMs: number): Promise<LoadResult> {
  loading ??= fetchRpcUrls(timeoutMs)
    .then(cacheFetched, cacheStale)
    .finally(() => {
      loading = undefined
    })
  return loading
}

const fault: EndpointFault = { kind: 'parameter-store' }

function cacheFetched(fetched: RpcUrls): LoadResult {
  const rpcUrls = ofEachNetwork(network => fetched[network] ?? cached?.rpcUrls[network])
  const isStale = networks.some(network => rpcUrls[network] !== fetched[network])
  const now = Date.now()
  cached = { rpcUrls, loadedAt: now, freshUntil: now + rpcUrlsTtlMs }
  return { rpcUrls, faults: isStale ? [fault] : [] }
}

function cacheStale(error: unknown): LoadResult {
  if (cached === undefined && isRefusal(error)) return { rpcUrls: new Problem('not-configured'), faults: [] }
  if (cached === undefined) return { rpcUrls: new Problem('chain-unavailable'), faults: [fault] }
  const now = Date.now()
  cached = { ...cached, loadedAt: now, freshUntil: now + rpcUrlsRetryMs }
  return { rpcUrls: cached.rpcUrls, faults: [fault] }
}

async function fetchRpcUrls(timeoutMs: number): Promise<RpcUrls> {
  const names = ofEachNetwork(findRpcUrlsParameter)
  const command = new GetParametersCommand({
    Names: [...new Set(Object.values(names).filter(name => name !== undefined))],
    WithDecryption: true,
  })
  const { Parameters = [] } = await client.send(command, { abortSignal: AbortSignal.timeout(timeoutMs) })
  const values = new Map(Parameters.map(({ Name, Value }) => [Name, Value]))
  return ofEachNetwork(network => parseRpcUrls(values.get(names[network])))
}

/** Parses one to three URLs, separated by white space or commas; undefined when anything else is among them. */
function parseRpcUrls(value: string | undefined): readonly URL[] | undefined {
  const texts = value?.split(/[\s,]/).filter(text => text !== '') ?? []
  const rpcUrls = texts.map(text => URL.parse(text)).filter(isAllowed)
  return rpcUrls.length === texts.length && rpcUrls.length >= 1 && rpcUrls.length <= 3 ? rpcUrls : undefined
}

function isAllowed(rpcUrl: URL | null): rpcUrl is URL {
  if (rpcUrl === null) return false
  const { protocol, hostname, username, password } = rpcUrl
  if (username !== '' || password !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname))
}

/** Whether Parameter Store refused the request for good. A failure without a response has no HTTP status. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof SSMServiceException) || error.name.startsWith('Throttling')) return false
  const { httpStatusCode = 0 } = error.$metadata
  return httpStatusCode >= 400 && httpStatusCode < 500 && httpStatusCode !== 429
}
