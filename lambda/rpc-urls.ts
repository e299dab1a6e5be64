import { GetParametersCommand, SSMClient, SSMServiceException } from '@aws-sdk/client-ssm'
import { type Network, networks, ofEachNetwork } from '../api/networks.ts'
import { Problem } from '../api/problems.ts'
import type { EndpointFault } from './faults.ts'
import { findRefusal, parseRpcUrls } from './parse-rpc-urls.ts'
import type { Settings } from './settings.ts'
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
 * const { rpcUrls, faults } = await loadRpcUrls('mainnet', settings)
 */
export async function loadRpcUrls(network: Network, settings: Settings): Promise<Loaded<readonly URL[]>> {
  const { rpcUrls, faults } =
    cached !== undefined && isWithin(rpcUrlsTtlMs, cached.askedAt) ? { ...cached, faults: [] } : await load(settings)
  return { rpcUrls: rpcUrls instanceof Problem ? rpcUrls : (rpcUrls[network] ?? new Problem('not-configured')), faults }
}

/** The load under way, which simultaneous requests share. */
let loading: Promise<Loaded<RpcUrls>> | undefined

/** Loads the URLs of all networks with one call. If it fails or returns no usable URLs, the stale URLs stay cached. */
function load(settings: Settings): Promise<Loaded<RpcUrls>> {
  loading ??= fetchRpcUrls(settings)
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

async function fetchRpcUrls({ rpcUrlsParameters, agreement }: Settings): Promise<RpcUrls> {
  const names = [...new Set(Object.values(rpcUrlsParameters))]
  const command = new GetParametersCommand({ Names: names, WithDecryption: true })
  const controller = new AbortController()
  const timeout = setTimeout(() => controller.abort(), parameterStoreMs)
  try {
    const { Parameters = [] } = await client.send(command, { abortSignal: controller.signal })
    const values = new Map(Parameters.map(({ Name, Value }) => [Name, Value]))
    return ofEachNetwork(network => parseUsable(values.get(rpcUrlsParameters[network]), agreement))
  } finally {
    clearTimeout(timeout)
  }
}

/** Parses the value of a parameter. Returns undefined when the functions refuse it. */
function parseUsable(value: string | undefined, agreement: 1 | 2): readonly URL[] | undefined {
  const rpcUrls = parseRpcUrls(value ?? '')
  return rpcUrls !== undefined && findRefusal(rpcUrls, agreement) === undefined ? rpcUrls : undefined
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
