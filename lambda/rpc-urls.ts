import { GetParametersCommand, SSMClient } from '@aws-sdk/client-ssm'
import { type Network, networks } from './feeds/registry.ts'
import { ChainUnavailable, type EndpointFault, NotConfigured } from './problems.ts'
import { parseSettings } from './settings.ts'

type RpcUrls = Readonly<Record<Network, readonly URL[] | undefined>>

/** How long Parameter Store may take in all, a retry included. */
const budgetMs = 2_000

/** How long the URLs are kept: so long may a rotated key go unnoticed while the old one still works. */
const keptMs = 300_000

/** How soon Parameter Store is asked again when what it last said was of no use: a request alone must not make it busy. */
const retryMs = 10_000

const client = new SSMClient({
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 500, requestTimeout: 1_000, throwOnRequestTimeout: true },
})

// What a warm container keeps, by the wall's clock: the others may stand still while a container is frozen.
let kept: { readonly rpcUrls: RpcUrls; readonly loadedAt: number; readonly freshUntil: number } | undefined
let loading: Promise<RpcUrls> | undefined

/** Hears of a fault that the old URLs hide: from then on they are all that there is. */
type Hear = (fault: EndpointFault) => void

/**
 * Loads the URLs at which a network's chain can be asked, in order of preference (D22).
 *
 * Asks Parameter Store once per container and every five minutes, for all networks at once; keeps the old URLs when asking again fails, or
 * finds none that can be used, and tells of it whoever made it ask.
 *
 * @throws {NotConfigured} when the network's parameter is missing or unusable.
 * @throws {ChainUnavailable} when Parameter Store itself does not answer.
 */
export async function loadRpcUrls(network: Network, hear?: Hear): Promise<readonly URL[]> {
  const current = kept !== undefined && Date.now() < kept.freshUntil ? kept.rpcUrls : undefined
  // URLs that were missing may be there by now, but it is not for every request to look.
  const isEnough = current?.[network] !== undefined || (current !== undefined && wasJustLoaded())
  return pick(isEnough ? current : await load(budgetMs, hear), network)
}

/**
 * Finds other URLs because every endpoint refused these, so that a rotated key is picked up without a deploy.
 *
 * Those that are kept by now will do, when another request has had them loaded meanwhile.
 *
 * @returns undefined when there are no others, or they were loaded just now: a refused key must not flood Parameter Store
 */
export async function reloadRpcUrls(
  network: Network,
  refused: readonly URL[],
  timeoutMs: number,
  hear?: Hear,
): Promise<readonly URL[] | undefined> {
  if (timeoutMs <= 0) return undefined
  const known = kept?.rpcUrls[network]
  const isNews = known !== undefined && String(known) !== String(refused)
  const rpcUrls = isNews || wasJustLoaded() ? known : (await load(Math.min(budgetMs, timeoutMs), hear))[network]
  return String(rpcUrls) === String(refused) ? undefined : rpcUrls
}

function wasJustLoaded(): boolean {
  return kept !== undefined && Date.now() < kept.loadedAt + retryMs
}

function pick(rpcUrls: RpcUrls | undefined, network: Network): readonly URL[] {
  const picked = rpcUrls?.[network]
  if (picked === undefined) throw new NotConfigured()
  return picked
}

function load(timeoutMs: number, hear: Hear = () => {}): Promise<RpcUrls> {
  loading ??= fetchRpcUrls(timeoutMs)
    .then(
      fetched => keep(fetched, hear),
      error => keepOld(error, hear),
    )
    .finally(() => {
      loading = undefined
    })
  return loading
}

function keep(fetched: RpcUrls, hear: Hear): RpcUrls {
  const rpcUrls = {
    mainnet: fetched.mainnet ?? kept?.rpcUrls.mainnet,
    testnet: fetched.testnet ?? kept?.rpcUrls.testnet,
  }
  if (networks.some(network => rpcUrls[network] !== fetched[network])) hear(fault)
  const now = Date.now()
  kept = { rpcUrls, loadedAt: now, freshUntil: now + keptMs }
  return rpcUrls
}

function keepOld(error: unknown, hear: Hear): RpcUrls {
  if (kept === undefined) throw toProblem(error)
  hear(fault)
  const now = Date.now()
  kept = { ...kept, loadedAt: now, freshUntil: now + retryMs }
  return kept.rpcUrls
}

const fault: EndpointFault = { endpoint: 'ssm', kind: 'parameter-store' }

async function fetchRpcUrls(timeoutMs: number): Promise<RpcUrls> {
  const names = networks.map(network => parseSettings(network).rpcUrlsParameter)
  const command = new GetParametersCommand({
    Names: [...new Set(names.filter(name => name !== undefined))],
    WithDecryption: true,
  })
  const { Parameters = [] } = await client.send(command, { abortSignal: AbortSignal.timeout(timeoutMs) })
  const values = new Map(Parameters.map(({ Name, Value }) => [Name, Value]))
  const [mainnet, testnet] = names.map(name => parseRpcUrls(values.get(name)))
  return { mainnet, testnet }
}

/** Parses one to three URLs, separated by white space or commas; undefined when there is anything else among them. */
function parseRpcUrls(value: string | undefined): readonly URL[] | undefined {
  const texts = value?.split(/[\s,]+/).filter(text => text !== '') ?? []
  const rpcUrls = texts.map(text => URL.parse(text)).filter(isAllowed)
  return rpcUrls.length === texts.length && rpcUrls.length >= 1 && rpcUrls.length <= 3 ? rpcUrls : undefined
}

function isAllowed(rpcUrl: URL | null): rpcUrl is URL {
  if (rpcUrl === null) return false
  const { protocol, hostname, username, password } = rpcUrl
  if (username !== '' || password !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname))
}

/** Tells a lasting refusal from a passing failure, of which the client's errors hold the HTTP status, if there was one. */
function toProblem(error: unknown): NotConfigured | ChainUnavailable {
  const status = statusOf(error)
  const throttled = error instanceof Error && error.name.startsWith('Throttling')
  const refused = status !== undefined && status >= 400 && status < 500 && status !== 429 && !throttled
  return refused ? new NotConfigured() : new ChainUnavailable([fault])
}

function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('$metadata' in error)) return undefined
  const metadata = error.$metadata
  if (typeof metadata !== 'object' || metadata === null || !('httpStatusCode' in metadata)) return undefined
  return typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : undefined
}
