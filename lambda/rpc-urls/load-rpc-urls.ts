import { GetParametersCommand, SSMClient, SSMServiceException } from '@aws-sdk/client-ssm'
import type { Network } from '../../api/networks.ts'
import { Problem } from '../../api/problems.ts'
import type { UpstreamFault } from '../faults.ts'
import type { Settings } from '../settings.ts'
import {
  isWithin,
  parameterStoreConnectMs,
  parameterStoreMs,
  parameterStoreResponseMs,
  refusalTtlMs,
  rpcUrlsTtlMs,
} from '../timing.ts'
import { findRefusal, parseRpcUrls } from './parse-rpc-urls.ts'

/** The URLs of a network, or the problem of its parameter, and how long they are cached. */
interface Fetched {
  readonly rpcUrls: readonly URL[] | Problem
  readonly ttlMs: number
}

interface Loaded {
  readonly rpcUrls: readonly URL[] | Problem
  readonly upstreamFaults: readonly UpstreamFault[]
  /** Milliseconds that Parameter Store took, 0 if it was not asked. */
  readonly ssmMs: number
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
const cache = new Map<Network, Fetched & { readonly askedAt: number }>()

/** The loads under way, which simultaneous requests share. */
const loading = new Map<Network, Promise<Loaded>>()

/**
 * Loads the URLs at which a network's chain is read, in order of preference (D22).
 *
 * Asks Parameter Store once per container, network and time to live.
 *
 * @returns `cached`, the URLs that can be used at once, if there are any; and `loaded`, which a request must await:
 *   a frozen container would interrupt the load. It has the problem `not-configured` when the network's parameter is
 *   missing, unusable or denied, and `chain-unavailable` when Parameter Store does not respond, unless URLs are cached
 * @example
 * const { rpcUrls, upstreamFaults } = await loadRpcUrls('mainnet', settings).loaded
 */
export function loadRpcUrls(network: Network, settings: Settings) {
  const entry = cache.get(network)
  const isFresh = entry !== undefined && isWithin(entry.ttlMs, entry.askedAt)
  const loaded = isFresh
    ? Promise.resolve({ rpcUrls: entry.rpcUrls, upstreamFaults: [], ssmMs: 0 })
    : load(network, settings)
  return { cached: findCached(network), loaded }
}

/** Finds the cached URLs of a network, stale or not. */
function findCached(network: Network): readonly URL[] | undefined {
  const rpcUrls = cache.get(network)?.rpcUrls
  return rpcUrls instanceof Problem ? undefined : rpcUrls
}

function load(network: Network, settings: Settings): Promise<Loaded> {
  const running = loading.get(network) ?? startLoad(network, settings).finally(() => loading.delete(network))
  loading.set(network, running)
  return running
}

/** Asks Parameter Store. If it fails or has no usable URLs, the stale URLs stay cached for another time to live. */
async function startLoad(network: Network, settings: Settings): Promise<Loaded> {
  const began = performance.now()
  const fetched = await fetchRpcUrls(settings.rpcUrlsParameters[network])
  const stale = findCached(network)
  const isReplaced = !(fetched.rpcUrls instanceof Problem) || stale === undefined
  const { rpcUrls, ttlMs } = isReplaced ? fetched : { rpcUrls: stale, ttlMs: rpcUrlsTtlMs }
  cache.set(network, { rpcUrls, ttlMs, askedAt: Date.now() })
  const isFault = !isReplaced || (rpcUrls instanceof Problem && rpcUrls.slug === 'chain-unavailable')
  const ssmMs = Math.round(performance.now() - began)
  return { rpcUrls, upstreamFaults: isFault ? [{ kind: 'parameter-store' }] : [], ssmMs }
}

async function fetchRpcUrls(name: string): Promise<Fetched> {
  const command = new GetParametersCommand({ Names: [name], WithDecryption: true })
  const controller = new AbortController()
  const timeout = setTimeout(() => controller.abort(), parameterStoreMs)
  try {
    const { Parameters = [] } = await client.send(command, { abortSignal: controller.signal })
    return { rpcUrls: parseParameter(Parameters[0]?.Value ?? ''), ttlMs: rpcUrlsTtlMs }
  } catch (error) {
    return isRefusal(error)
      ? { rpcUrls: new Problem('not-configured'), ttlMs: refusalTtlMs }
      : { rpcUrls: new Problem('chain-unavailable'), ttlMs: 0 }
  } finally {
    clearTimeout(timeout)
  }
}

function parseParameter(value: string): readonly URL[] | Problem {
  const rpcUrls = parseRpcUrls(value)
  const isUsable = typeof rpcUrls !== 'string' && findRefusal(rpcUrls) === undefined
  return isUsable ? rpcUrls : new Problem('not-configured')
}

/**
 * The errors with which Parameter Store refuses a request until its settings change. Any other error may pass.
 *
 * @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/CommonErrors.html
 */
const refusals: ReadonlySet<string> = new Set([
  // The role may not read a parameter, or may not use its key.
  ...['AccessDenied', 'AccessDeniedException', 'KMSAccessDeniedException', 'NotAuthorized', 'OptInRequired'],
  ...['InvalidKeyId', 'DisabledException', 'InvalidKeyUsageException', 'KMSInvalidStateException'],
  // The credentials are unknown or wrong.
  ...['UnrecognizedClientException', 'InvalidClientTokenId', 'MissingAuthenticationToken', 'InvalidAccessKeyId'],
  ...['MissingAuthenticationTokenException', 'ExpiredToken', 'ExpiredTokenException', 'SignatureDoesNotMatch'],
  ...['IncompleteSignature', 'IncompleteSignatureException', 'InvalidSignatureException'],
  // The request is invalid, as with a name that no parameter can have.
  ...['ValidationError', 'ValidationException', 'InvalidParameterValue', 'InvalidAction', 'UnknownOperationException'],
])

function isRefusal(error: unknown): boolean {
  return error instanceof SSMServiceException && refusals.has(error.name)
}
