import { numberToHex } from 'viem/utils'
import { type Network, networks } from '../api/networks.ts'
import { ethCall } from '../lambda/chain/eth-call.ts'
import { encodeFeedReader, rowAt, splitOutput } from '../lambda/chain/feed-reader.ts'
import { type Reading, readEndpoint } from '../lambda/chain/read-endpoint.ts'
import { Fault, faults } from '../lambda/faults.ts'
import { feedsOf } from '../lambda/feeds/registry.ts'
import { attemptMs } from '../lambda/timing.ts'
import { findWrongFeeds } from './wrong-feeds.ts'

interface Report {
  /** For people. */
  readonly lines: readonly string[]
  /** Whether each URL serves a network, all agree, and every feed is that of the registry. */
  readonly isUsable: boolean
}

interface CheckedEndpoint {
  /** `rpc-1` and so on, in the order of the URLs. */
  readonly name: string
  readonly rpcUrl: URL
}

interface EndpointResult {
  readonly endpoint: CheckedEndpoint
  readonly network: Network
  readonly reading: Reading | Fault
  readonly tookMs: number
  /** The feeds that differ from the registry, if the network was read. */
  readonly wrongFeeds: readonly string[] | Fault
}

/** Reads every network at every URL. */
export async function checkRpc(rpcUrls: readonly URL[]): Promise<Report> {
  const endpoints = rpcUrls.map((rpcUrl, index) => ({ name: `rpc-${index + 1}`, rpcUrl }))
  const results: EndpointResult[] = []
  // One after another, so that each time is that of a single read.
  for (const endpoint of endpoints) for (const network of networks) results.push(await read(endpoint, network))
  const reports = [
    ...endpoints.map(endpoint => reportEndpoint(endpoint, results)),
    ...(await Promise.all(networks.map(network => compare(network, results)))),
  ]
  return { lines: reports.flatMap(({ lines }) => lines), isUsable: reports.every(({ isUsable }) => isUsable) }
}

/** Reads twice, and measures the second read: the first one opens the connection. */
async function read(endpoint: CheckedEndpoint, network: Network): Promise<EndpointResult> {
  const readOnce = async () => {
    const began = performance.now()
    const reading = await attempt(() =>
      readEndpoint(endpoint.rpcUrl, { network, feeds: feedsOf(network) }, signalOfAttempt()),
    )
    return { endpoint, network, reading, tookMs: Math.round(performance.now() - began) }
  }
  const first = await readOnce()
  if (first.reading instanceof Fault) return { ...first, wrongFeeds: [] }
  return { ...(await readOnce()), wrongFeeds: await attempt(() => findWrongFeeds(endpoint.rpcUrl, feedsOf(network))) }
}

/** Reads the rows of a network at a block. Returns undefined if the endpoint returned another block. */
function readRows({ rpcUrl }: CheckedEndpoint, network: Network, block: number): Promise<string | undefined | Fault> {
  const addresses = feedsOf(network).map(({ address }) => address)
  return attempt(async () => {
    const output = await ethCall(rpcUrl, encodeFeedReader(addresses), numberToHex(block), signalOfAttempt())
    const read = splitOutput(output, addresses.length)
    return read.block === block ? read.rows : undefined
  })
}

function signalOfAttempt(): AbortSignal {
  return AbortSignal.timeout(attemptMs)
}

async function attempt<Result>(work: () => Promise<Result>): Promise<Result | Fault> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}

function reportEndpoint(endpoint: CheckedEndpoint, results: readonly EndpointResult[]): Report {
  const ofEndpoint = results.filter(result => result.endpoint === endpoint)
  const isServing = ofEndpoint.some(({ reading }) => !(reading instanceof Fault))
  const lines = ofEndpoint.flatMap(result =>
    [formatResult(result, isServing), ...formatWrongFeeds(result)].map(text => `  ${result.network}: ${text}`),
  )
  return {
    lines: [`${endpoint.name}  ${endpoint.rpcUrl.origin}`, ...lines],
    isUsable: isServing && ofEndpoint.flatMap(formatWrongFeeds).length === 0,
  }
}

function formatWrongFeeds({ wrongFeeds }: EndpointResult): readonly string[] {
  if (wrongFeeds instanceof Fault) return [`its feeds cannot be compared with the registry (${wrongFeeds.kind})`]
  return wrongFeeds.length === 0 ? [] : [`DIFFER from the registry: ${wrongFeeds.join(', ')}`]
}

function formatResult({ reading, tookMs }: EndpointResult, isServing: boolean): string {
  if (reading instanceof Fault) {
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
async function compare(network: Network, results: readonly EndpointResult[]): Promise<Report> {
  const serving = results.flatMap(({ endpoint, network: read, reading }) =>
    read === network && !(reading instanceof Fault) ? [{ ...endpoint, block: reading.block }] : [],
  )
  const [first, ...rest] = serving
  if (first === undefined || rest.length === 0) return { lines: [], isUsable: true }
  const lowest = Math.min(...serving.map(({ block }) => block))
  const atFirst = await readRows(first, network, lowest)
  const comparing = rest.map(async endpoint => {
    const differences = findDifferences(network, atFirst, await readRows(endpoint, network, lowest))
    return differences.map(text => `${first.name} and ${endpoint.name} ${text}`)
  })
  const differences = (await Promise.all(comparing)).flat()
  const agrees = differences.length === 0
  const compared = agrees ? [`${serving.map(({ name }) => name).join(', ')} agree`] : differences
  return { lines: compared.map(text => `${network}: ${text} at block ${lowest}`), isUsable: agrees }
}

type Rows = string | undefined | Fault

function findDifferences(network: Network, first: Rows, second: Rows): string[] {
  if (typeof first !== 'string' || typeof second !== 'string') {
    const reasons = [first, second].filter(rows => typeof rows !== 'string').map(rows => rows?.kind ?? 'another block')
    return [`cannot be compared (${reasons.join(', ')})`]
  }
  const differing = feedsOf(network).filter((_, index) => rowAt(first, index) !== rowAt(second, index))
  return differing.length === 0 ? [] : [`DISAGREE on ${differing.map(({ symbol }) => symbol).join(' ')}`]
}
