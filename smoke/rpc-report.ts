import { type Network, networks } from '../api/networks.ts'
import { rowAt } from '../lambda/chain/feed-reader.ts'
import { type Reading, readEndpoint } from '../lambda/chain/read-endpoint.ts'
import { Fault, faults } from '../lambda/faults.ts'
import { feedsOf } from '../lambda/feeds/registry.ts'
import { attemptMs } from '../lambda/timing.ts'
import { findWrongFeeds } from './wrong-feeds.ts'

interface CheckedEndpoint {
  /** `rpc-1` and so on, in the order of the URLs. */
  readonly name: string
  readonly rpcUrl: URL
}

/** How a network was read at one endpoint. */
interface EndpointResult {
  readonly endpoint: CheckedEndpoint
  readonly network: Network
  readonly reading: Reading | Fault
  readonly tookMs: number
  /** The feeds that differ from the registry, if the network was read. */
  readonly wrongFeeds: readonly string[] | Fault
}

/**
 * Reads every network at every URL.
 *
 * @returns lines for people, and whether each URL serves a network, all agree, and every feed is that of the registry
 */
export async function checkRpc(
  rpcUrls: readonly URL[],
): Promise<{ readonly lines: string[]; readonly isUsable: boolean }> {
  const endpoints = rpcUrls.map((rpcUrl, index) => ({ name: `rpc-${index + 1}`, rpcUrl }))
  const results: EndpointResult[] = []
  // One after another, so that each time is that of a single read.
  for (const endpoint of endpoints) for (const network of networks) results.push(await read(endpoint, network))
  const ofEndpoints = endpoints.map(endpoint => results.filter(result => result.endpoint === endpoint))
  const agreements = await Promise.all(networks.map(network => compare(network, results)))
  return {
    lines: [...ofEndpoints.flatMap(formatEndpoint), ...agreements.flatMap(({ lines }) => lines)],
    isUsable:
      ofEndpoints.every(isServing) &&
      results.every(({ wrongFeeds }) => Array.isArray(wrongFeeds) && wrongFeeds.length === 0) &&
      agreements.every(({ agrees }) => agrees),
  }
}

/** Whether an endpoint serves a network. */
function isServing(ofEndpoint: readonly EndpointResult[]): boolean {
  return ofEndpoint.some(({ reading }) => isReading(reading))
}

/** Reads twice, and measures the second read: the first one opens the connection. */
async function read(endpoint: CheckedEndpoint, network: Network): Promise<EndpointResult> {
  const readOnce = async () => {
    const began = performance.now()
    const reading = await readAt(endpoint, network, undefined)
    return { endpoint, network, reading, tookMs: Math.round(performance.now() - began) }
  }
  const first = await readOnce()
  if (!isReading(first.reading)) return { ...first, wrongFeeds: [] }
  return { ...(await readOnce()), wrongFeeds: await attempt(() => findWrongFeeds(endpoint.rpcUrl, feedsOf(network))) }
}

function readAt({ rpcUrl }: CheckedEndpoint, network: Network, block: number | undefined): Promise<Reading | Fault> {
  const request = { network, feeds: feedsOf(network) }
  return attempt(() => readEndpoint(rpcUrl, request, block, AbortSignal.timeout(attemptMs)))
}

async function attempt<Result>(work: () => Promise<Result>): Promise<Result | Fault> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}

function isReading(reading: Reading | Fault): reading is Reading {
  return !(reading instanceof Fault)
}

function formatEndpoint(ofEndpoint: readonly EndpointResult[]): readonly string[] {
  const titles = ofEndpoint.slice(0, 1).map(({ endpoint: { name, rpcUrl } }) => `${name}  ${rpcUrl.origin}`)
  return [
    ...titles,
    ...ofEndpoint.flatMap(result =>
      [formatResult(result, isServing(ofEndpoint)), ...formatWrongFeeds(result)].map(
        text => `  ${result.network}: ${text}`,
      ),
    ),
  ]
}

function formatWrongFeeds({ wrongFeeds }: EndpointResult): readonly string[] {
  if (wrongFeeds instanceof Fault) return [`its feeds cannot be compared with the registry (${wrongFeeds.kind})`]
  return wrongFeeds.length === 0 ? [] : [`DIFFER from the registry: ${wrongFeeds.join(', ')}`]
}

function formatResult({ reading, tookMs }: EndpointResult, isServing: boolean): string {
  if (!isReading(reading)) {
    const { kind, numbers } = reading
    if (kind === 'wrong-chain' && isServing) return 'another chain (wrong-chain), as expected of a URL of one network'
    const codes = Object.entries(numbers).map(([name, code]) => `, ${name} ${code}`)
    return `not supported: ${kind}${codes.join('')}. Remedy: ${faults[kind].remedy}.`
  }
  const { block, readAt, blockTime, feeds } = reading
  const unreadable = feeds.filter(feed => 'unreadable' in feed).map(({ feed }) => feed.symbol)
  const ageSeconds = Math.max(0, Math.round(readAt.getTime() / 1_000 - blockTime))
  const suffix = unreadable.length === 0 ? '' : `; not readable: ${unreadable.join(' ')}`
  return `supported: ${feeds.length} feeds at block ${block}, ${ageSeconds} s old, read in ${tookMs} ms${suffix}`
}

/** Compares what the endpoints of a network return at the lowest block that one of them read. */
async function compare(network: Network, results: readonly EndpointResult[]) {
  const ofNetwork = results.filter(result => result.network === network)
  const serving = ofNetwork.flatMap(({ endpoint, reading }) => (isReading(reading) ? [{ endpoint, reading }] : []))
  const [first, ...rest] = serving
  if (first === undefined || rest.length === 0) return { lines: [], agrees: true }
  const block = Math.min(...serving.map(({ reading }) => reading.block))
  const atFirst = await readAt(first.endpoint, network, block)
  const comparing = rest.map(async ({ endpoint }) => {
    const differences = findDifferences(network, atFirst, await readAt(endpoint, network, block))
    return differences.map(text => `${first.endpoint.name} and ${endpoint.name} ${text}`)
  })
  const differences = (await Promise.all(comparing)).flat()
  const agrees = differences.length === 0
  const compared = agrees ? [`${serving.map(({ endpoint }) => endpoint.name).join(', ')} agree`] : differences
  return { lines: compared.map(text => `${network}: ${text} at block ${block}`), agrees }
}

function findDifferences(network: Network, first: Reading | Fault, second: Reading | Fault): string[] {
  if (!isReading(first) || !isReading(second)) {
    const kinds = [first, second].flatMap(reading => (reading instanceof Fault ? reading.kind : []))
    return [`cannot be compared (${kinds.join(', ')})`]
  }
  const differing = feedsOf(network).filter((_, index) => rowAt(first.rows, index) !== rowAt(second.rows, index))
  return differing.length === 0 ? [] : [`DISAGREE on ${differing.map(({ symbol }) => symbol).join(' ')}`]
}
