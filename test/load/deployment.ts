import { type Feed, feedsOf } from '../../lambda/feeds/registry.ts'
import { type Network, networks, ofEachNetwork } from '../../lambda/networks.ts'
import { onChainStatuses, type StandInFeed, setStandInFeeds } from '../../local/chains/stand-in-feed.ts'
import { toStandInFeeds } from '../../local/chains/stand-in-feeds.ts'
import { createFunctions, type Functions } from '../../local/functions/runtime.ts'
import { startSandbox } from '../../local/sandbox.ts'
import type { LambdaFunction, Template } from '../../local/template/template.ts'
import { type FaultyNode, startProxyNode } from '../chain/faulty-node.ts'
import { type Round, writeList, writeRecord } from '../fuzz/bodies.ts'

/** The service as it would be deployed, on feeds with known states and endpoints that can be stopped. */
export interface Deployment extends AsyncDisposable {
  readonly template: Template
  /** Two of each network: first all that are asked first, then all that are asked second. */
  readonly endpoints: readonly [readonly FaultyNode[], readonly FaultyNode[]]
  /** Creates new containers of every function, which are stopped with the deployment. The functions may be changed before. */
  readonly createFunctions: (change?: (fn: LambdaFunction) => LambdaFunction) => Functions
  /** Whether a body is what a request must get. */
  readonly isCorrect: (request: LoadRequest, body: string, baseUrl: string) => boolean
}

/** One request, and its status while a node answers. */
export interface LoadRequest {
  readonly path: string
  readonly network: Network
  /** Undefined for the list. */
  readonly symbol: string | undefined
  readonly status: 200 | 400 | 404
}

/** Small, so that a memory leak ends a container. */
const memoryMb = 64

/** @param fail called with each error that a function logs */
export async function startDeployment(fail: (failure: string) => void): Promise<Deployment> {
  await using started = new AsyncDisposableStack()
  const { template, chains, parameters, parameterStore } = started.use(
    await startSandbox(ofEachNetwork(() => 'embedded')),
  )
  const now = Math.floor(Date.now() / 1_000)
  const rpcUrls = networks.map(network => chains[network]?.rpcUrl ?? '')
  const startAll = () => Promise.all(rpcUrls.map(async rpcUrl => started.use(await startProxyNode(rpcUrl))))
  const endpoints = [await startAll(), await startAll()] as const
  const states = new Map<Network, readonly StandInFeed[]>()
  for (const [index, network] of networks.entries()) {
    const urls = endpoints.map(nodes => nodes[index]?.url)
    parameters.set(`/price-lookup/dev/rpc-urls/${network}`, urls.join(' '))
    const state = toStandInFeeds(network, feedsOf(network).slice(), now)
    states.set(network, state)
    await setStandInFeeds(rpcUrls[index] ?? '', state)
  }
  const held = started.move()
  return {
    template,
    endpoints,
    createFunctions(change = fn => fn) {
      const functions = createFunctions({
        functions: new Map([...template.functions].map(([id, fn]) => [id, change({ ...fn, memoryMb })])),
        variables: { AWS_ENDPOINT_URL_SSM: parameterStore.url },
        log: ({ level, text }) => (level === 'error' ? fail(`A function logged: ${text}`) : undefined),
      })
      held.defer(functions.stop)
      return functions
    },
    isCorrect: ({ network, symbol }, body, baseUrl) =>
      body === writeBody(network, symbol, states.get(network) ?? [], body, baseUrl),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  }
}

/** Writes the body of feeds in a state, with the block and the time of another body. */
function writeBody(
  network: Network,
  symbol: string | undefined,
  state: readonly StandInFeed[],
  of: string,
  baseUrl: string,
) {
  const { block, readAt }: { block: number; readAt: string } = JSON.parse(of)
  const feeds = feedsOf(network)
  const place = { network, block, readAt: new Date(readAt) }
  const write = (feed: Feed): string => {
    const { status, servesWhenClosed, observedAt, ...values } = state[feeds.indexOf(feed)] as StandInFeed
    const serves = status === 'OK' || (status === 'MARKET_CLOSED' && servesWhenClosed)
    const round: Round = serves ? { answer: values.answer } : { reverts: 'FeedUnavailable' }
    const detail = { ...values, status: onChainStatuses.indexOf(status), observedAt: BigInt(observedAt) }
    return writeRecord(feed, detail, round, place)
  }
  const alone = feeds.find(feed => feed.symbol === symbol)
  return alone ? write(alone) : writeList({ block, entries: feeds.map(write) }, { ...place, feeds, baseUrl })
}

/** Creates the same sequence of requests every time: prices of both networks, lists, unknown symbols and networks. */
export function createRequests(): () => LoadRequest {
  // Lehmer's generator, MINSTD.
  let state = 4_663
  const pick = (below: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
  return () => {
    const network = pick(3) === 0 ? 'testnet' : 'mainnet'
    const query = network === 'testnet' || pick(2) === 0 ? `?network=${network}` : ''
    const kind = pick(20)
    if (kind < 2) return { path: `/price${query}`, network, symbol: undefined, status: 200 }
    if (kind === 2) return { path: `/price/NOPE${pick(1_000)}${query}`, network, symbol: 'NOPE', status: 404 }
    if (kind === 3) return { path: `/price/AMD?network=moon${pick(1_000)}`, network, symbol: 'AMD', status: 400 }
    const symbol = feedsOf(network)[pick(feedsOf(network).length)]?.symbol ?? ''
    return { path: `/price/${pick(2) === 0 ? symbol : symbol.toLowerCase()}${query}`, network, symbol, status: 200 }
  }
}
