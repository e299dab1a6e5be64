import { setTimeout as sleep } from 'node:timers/promises'
import type { Network } from '../../api/networks.ts'
import { ethCall } from '../../lambda/chain/eth-call.ts'
import { toRank } from '../../lambda/chain/find-servable.ts'
import { encodeProgram, rowAt, splitOutput } from '../../lambda/chain/program.ts'
import { readEndpoint } from '../../lambda/chain/read-endpoint.ts'
import { type EndpointName, toEndpointName } from '../../lambda/endpoints.ts'
import { Fault } from '../../lambda/faults.ts'
import type { ChainReading } from '../../lambda/feeds/reading.ts'
import { feedsOf } from '../../lambda/feeds/registry.ts'
import { attemptMs } from '../../lambda/timing.ts'
import { faultTexts } from './fault-texts.ts'
import { repeatAfterRateLimit } from './repeat-after-rate-limit.ts'
import { findWrongFeeds } from './wrong-feeds.ts'

/** What was found at the RPC URLs of a network, in lines of text. No line contains a part of a URL (D25). */
interface Report {
  /** What was found at each URL, in the order of the URLs. */
  readonly endpoints: readonly EndpointReport[]
  /** Whether the endpoints agree; no line if fewer than two serve the network. */
  readonly comparison: readonly string[]
  /** Whether the URLs are different, each serves the network, all agree, and every feed is that of the registry. */
  readonly isUsable: boolean
}

/** What was found, in lines for people. */
interface Findings {
  readonly lines: readonly string[]
  readonly isUsable: boolean
}

interface EndpointReport extends Findings {
  readonly name: EndpointName
}

interface CheckedEndpoint {
  readonly name: EndpointName
  readonly rpcUrl: URL
  readonly reading: TimedReading | Fault
  /** The feeds that differ from the registry, if the network was read. */
  readonly wrongFeeds: readonly string[] | Fault
}

interface TimedReading extends ChainReading {
  readonly tookMs: number
}

/**
 * Reads a network at every URL, and compares what the URLs return.
 *
 * Equal URLs are one endpoint, which is read once: the second one is no spare for the first.
 */
export async function checkRpc(network: Network, rpcUrls: readonly URL[]): Promise<Report> {
  const reports: EndpointReport[] = []
  const endpoints: CheckedEndpoint[] = []
  // One after another, so that each time is that of a single read.
  for (const [index, rpcUrl] of rpcUrls.entries()) {
    const name = toEndpointName(index)
    const equal = endpoints.find(other => toComparable(other.rpcUrl) === toComparable(rpcUrl))
    if (equal !== undefined) {
      reports.push({ name, lines: [formatEqual(equal)], isUsable: false })
    } else {
      const endpoint = { name, rpcUrl, ...(await read(network, rpcUrl)) }
      endpoints.push(endpoint)
      reports.push({ name, ...reportEndpoint(endpoint) })
    }
  }
  const comparison = await compare(network, endpoints)
  const isUsable = [...reports, comparison].every(findings => findings.isUsable)
  return { endpoints: reports, comparison: comparison.lines, isUsable }
}

/** Converts a URL to a text that a slash at the end of its path, or an empty query, does not change. */
function toComparable({ origin, pathname, search }: URL): string {
  return origin + pathname.replace(/\/$/, '') + search
}

/** Reads twice, and measures the second read: the first one opens the connection. */
async function read(network: Network, rpcUrl: URL): Promise<Omit<CheckedEndpoint, 'name' | 'rpcUrl'>> {
  const feeds = feedsOf(network)
  const readOnce = () =>
    repeatAfterRateLimit(async () => {
      const began = performance.now()
      const reading = await readEndpoint(rpcUrl, { network, feeds }, AbortSignal.timeout(attemptMs))
      const returned = { ...reading, tookMs: Math.round(performance.now() - began) }
      if (toRank(returned) > 0) return returned
      throw new Fault('fewer-feeds')
    })
  const first = await readOnce()
  if (first instanceof Fault) return { reading: first, wrongFeeds: [] }
  return { reading: await readOnce(), wrongFeeds: await findWrongFeeds(rpcUrl, feeds) }
}

function reportEndpoint({ reading, wrongFeeds }: CheckedEndpoint): Findings {
  const wrong = formatWrongFeeds(wrongFeeds)
  const read = reading instanceof Fault ? formatFault('not supported', reading) : formatReading(reading)
  return { lines: [read, ...wrong], isUsable: !(reading instanceof Fault) && wrong.length === 0 }
}

function formatEqual({ name }: CheckedEndpoint): string {
  return `not read: this is the URL of ${name} again. Remedy: give another URL in its place, or none.`
}

function formatWrongFeeds(wrongFeeds: CheckedEndpoint['wrongFeeds']): readonly string[] {
  if (wrongFeeds instanceof Fault) return [formatFault('its feeds cannot be compared with the registry', wrongFeeds)]
  return wrongFeeds.length === 0 ? [] : [`DIFFER from the registry: ${wrongFeeds.join(', ')}`]
}

function formatFault(consequence: string, fault: Fault): string {
  return `${consequence}: ${formatKind(fault)}. Remedy: ${faultTexts[fault.kind].remedy}.`
}

/** Formats the kind of a fault and its numbers: `rpc-error, rpcCode -32000`. */
function formatKind({ kind, numbers }: Fault): string {
  const codes = Object.entries(numbers).map(([name, code]) => `, ${name} ${code}`)
  return `${kind}${codes.join('')}`
}

function formatReading({ block, readAt, blockTime, feeds, tookMs }: TimedReading): string {
  const unreadable = feeds.filter(feed => 'unreadable' in feed).map(({ feed }) => feed.symbol)
  const ageSeconds = Math.max(0, Math.round(readAt.getTime() / 1_000 - blockTime))
  const suffix = unreadable.length === 0 ? '' : `; not readable: ${unreadable.join(' ')}`
  return `supported: ${feeds.length} feeds at block ${block}, ${ageSeconds} s old, read in ${tookMs} ms${suffix}`
}

/**
 * Compares what the endpoints return at the lowest block that one of them read.
 *
 * No older block is compared, which more nodes would have: a local chain keeps 16 blocks, and an idle testnet may have
 * made its last two blocks days apart.
 */
async function compare(network: Network, endpoints: readonly CheckedEndpoint[]): Promise<Findings> {
  const serving = endpoints.flatMap(({ name, rpcUrl, reading }) =>
    reading instanceof Fault ? [] : { name, rpcUrl, block: reading.block },
  )
  if (serving.length < 2) return { lines: [], isUsable: true }
  const lowest = Math.min(...serving.map(({ block }) => block))
  const compared = await Promise.all(
    serving.map(async ({ name, rpcUrl }) => ({ name, ...(await readRowsSoon(network, rpcUrl, lowest)) })),
  )
  const missing = compared.filter(result => 'missing' in result).map(result => formatMissing(result, lowest))
  const [first, ...others] = compared.filter(result => 'rows' in result)
  const different = first === undefined ? [] : others.flatMap(other => formatDifference(network, first, other, lowest))
  const isUsable = missing.length + different.length === 0
  const agreeing = serving.map(({ name }) => name).join(', ')
  return { lines: isUsable ? [`${agreeing} agree at block ${lowest}`] : [...missing, ...different], isUsable }
}

/** The rows of all feeds at the block that is compared, or why there are none. */
type Rows = { readonly rows: string } | { readonly missing: string }

/** The endpoint may be behind, or may have discarded the block because another endpoint is behind. */
function formatMissing({ name, missing }: { readonly name: string; readonly missing: string }, block: number): string {
  return `${name} cannot be compared at block ${block} (${missing}); it or another URL may be behind: run this again`
}

interface EndpointRows {
  readonly name: string
  readonly rows: string
}

function formatDifference(
  network: Network,
  first: EndpointRows,
  other: EndpointRows,
  block: number,
): readonly string[] {
  const feeds = feedsOf(network).filter((_, index) => rowAt(first.rows, index) !== rowAt(other.rows, index))
  const symbols = feeds.map(({ symbol }) => symbol).join(' ')
  return feeds.length === 0 ? [] : [`${first.name} and ${other.name} DISAGREE on ${symbols} at block ${block}`]
}

/**
 * A provider may return a block that its other nodes do not have yet. An endpoint that fails at the block, or returns
 * another one, is asked again each second, for at most five seconds. The chain makes about 50 blocks meanwhile, and
 * Nitro by default keeps at least the last 128.
 *
 * @see https://docs.arbitrum.io/run-arbitrum-node/nitro/cli-flags-reference (`execution.caching.block-count`)
 * @see https://github.com/erigontech/erigon/issues/22036
 */
const repeatAfterMs = 1_000
export const repeatForMs = 5_000

/** Reads the rows of a network at a block which the endpoint may not have yet. Returns what it returned at last. */
async function readRowsSoon(network: Network, rpcUrl: URL, block: number): Promise<Rows> {
  const deadline = performance.now() + repeatForMs
  for (;;) {
    const result = await repeatAfterRateLimit(() => readRows(network, rpcUrl, block))
    const rows = result instanceof Fault ? { missing: formatKind(result) } : result
    if ('rows' in rows || performance.now() + repeatAfterMs > deadline) return rows
    await sleep(repeatAfterMs)
  }
}

/** Reads the rows of a network at a block. An endpoint may ignore the block, and return the rows of another one. */
async function readRows(network: Network, rpcUrl: URL, block: number): Promise<Rows> {
  const addresses = feedsOf(network).map(({ address }) => address)
  const initCode = encodeProgram(addresses)
  const output = await ethCall(rpcUrl, initCode, `0x${block.toString(16)}`, AbortSignal.timeout(attemptMs))
  const read = splitOutput(output, addresses.length)
  return read.block === block ? { rows: read.rows } : { missing: 'another block' }
}
