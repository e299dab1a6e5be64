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
import { findWrongCount, parseRpcUrls } from './parse-rpc-urls.ts'

/** The result for one request: of a load, or the cached URLs or problem of an earlier load. */
interface Loaded {
  readonly rpcUrls: readonly URL[] | Problem
  readonly upstreamFaults: readonly UpstreamFault[]
  /** How long the load took, in milliseconds; 0 if Parameter Store was not asked. */
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

interface Cached extends Pick<Loaded, 'rpcUrls'> {
  readonly ttlMs: number
  /** When Parameter Store was asked last, from `Date.now()`. */
  readonly askedAt: number
}

/** What a warm container caches. */
const cache = new Map<Network, Cached>()

/** The loads that have not ended. Simultaneous requests share one for each network. */
const loading = new Map<Network, Promise<Loaded>>()

/**
 * Loads the URLs at which a network's chain is read, in order of preference (D22).
 *
 * Asks Parameter Store once per container, network and time to live.
 *
 * @returns `cached`, the URLs that can be used at once, if there are any; and `loaded`, which a request must await,
 *   because a container that is frozen after its response would interrupt the load. Unless URLs are cached, `loaded`
 *   has the problem `not-configured` if the network's parameter is missing, unusable or denied, and `chain-unavailable`
 *   if Parameter Store fails in another way
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

async function startLoad(network: Network, settings: Settings): Promise<Loaded> {
  const began = performance.now()
  const fetched = await fetchRpcUrls(settings.rpcUrlsParameters[network])
  const { isFault, ...cached } = choose(fetched, findCached(network))
  cache.set(network, { ...cached, askedAt: Date.now() })
  return {
    rpcUrls: cached.rpcUrls,
    upstreamFaults: isFault ? [{ kind: 'parameter-store' }] : [],
    ssmMs: Math.round(performance.now() - began),
  }
}

/** What Parameter Store returned: usable URLs, or why there are none. */
type Fetched = { readonly rpcUrls: readonly URL[] } | { readonly failure: keyof typeof failures }

/** The ways to get no URLs, each with what follows if none are cached either. */
const failures = {
  /** The parameter is missing, or has no URLs that the functions accept. */
  unusable: { slug: 'not-configured', ttlMs: rpcUrlsTtlMs, isFault: false },
  /** Parameter Store refused the request. */
  refused: { slug: 'not-configured', ttlMs: refusalTtlMs, isFault: false },
  /** It failed in a way that may pass, so the next request asks it again. */
  failed: { slug: 'chain-unavailable', ttlMs: 0, isFault: true },
} as const

/** Chooses what is cached, for how long, and whether the load was a fault. */
function choose(fetched: Fetched, stale: readonly URL[] | undefined) {
  if ('rpcUrls' in fetched) return { rpcUrls: fetched.rpcUrls, ttlMs: rpcUrlsTtlMs, isFault: false }
  // The stale URLs are used for another time to live.
  if (stale !== undefined) return { rpcUrls: stale, ttlMs: rpcUrlsTtlMs, isFault: true }
  const { slug, ttlMs, isFault } = failures[fetched.failure]
  return { rpcUrls: new Problem(slug), ttlMs, isFault }
}

/** Asks Parameter Store, and ignores the cached URLs. */
async function fetchRpcUrls(name: string): Promise<Fetched> {
  const command = new GetParametersCommand({ Names: [name], WithDecryption: true })
  const controller = new AbortController()
  const timeout = setTimeout(() => controller.abort(), parameterStoreMs)
  try {
    const { Parameters = [] } = await client.send(command, { abortSignal: controller.signal })
    const parsed = parseRpcUrls(Parameters[0]?.Value ?? '')
    return 'rpcUrls' in parsed && findWrongCount(parsed.rpcUrls) === undefined ? parsed : { failure: 'unusable' }
  } catch (error) {
    return { failure: isRefusal(error) ? 'refused' : 'failed' }
  } finally {
    clearTimeout(timeout)
  }
}

/**
 * The errors with which Parameter Store refuses a request until a setting or the credentials change. Any other error
 * may be temporary.
 *
 * @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/CommonErrors.html
 */
const refusals: ReadonlySet<string> = new Set([
  // The role may not read a parameter, or may not use its key.
  'AccessDenied',
  'AccessDeniedException',
  'KMSAccessDeniedException',
  'NotAuthorized',
  'OptInRequired',
  'InvalidKeyId',
  'DisabledException',
  'InvalidKeyUsageException',
  'KMSInvalidStateException',
  // The credentials are unknown or wrong.
  'UnrecognizedClientException',
  'InvalidClientTokenId',
  'MissingAuthenticationToken',
  'InvalidAccessKeyId',
  'MissingAuthenticationTokenException',
  'ExpiredToken',
  'ExpiredTokenException',
  'SignatureDoesNotMatch',
  'IncompleteSignature',
  'IncompleteSignatureException',
  'InvalidSignatureException',
  // The request is invalid, for example because no parameter can have the name.
  'ValidationError',
  'ValidationException',
  'InvalidParameterValue',
  'InvalidAction',
  'UnknownOperationException',
])

function isRefusal(error: unknown): boolean {
  return error instanceof SSMServiceException && refusals.has(error.name)
}
