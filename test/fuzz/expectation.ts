import type { Hex } from 'viem'
import type { Feed, Network } from '../../lambda/feeds/registry.ts'
import type { Told } from './mutate-reply.ts'
import { type Entry, type Holding, refer } from './reference.ts'

/** What was asked, when, and how old the chain's head may be. */
export interface Asked {
  readonly network: Network
  readonly feeds: readonly Feed[]
  readonly readAt: Date
  /** Where the API says that it is. */
  readonly baseUrl: string
  readonly maxHeadAgeSeconds: number
}

/** Below this no true answer is too large, whatever was asked. */
const surelyReadBytes = 65_536

/** Says what a node's answer holds, of which nobody can say that the service must believe it when `isSure` is false. */
export function hold(told: Told, id: number, asked: Asked): { readonly isSure: boolean; readonly holding?: Holding } {
  const isSure = told.framing === 'clear' && Buffer.byteLength(told.text) <= surelyReadBytes
  const result = told.status === 200 ? toResult(told.text, id) : undefined
  const holding = result && refer(result, asked.feeds, asked, asked.maxHeadAgeSeconds)
  return holding === undefined ? { isSure } : { isSure, holding }
}

/** Tells whether a node's answer is a JSON-RPC error. */
export function isRpcError({ status, text }: Told): boolean {
  const reply = parse(text)
  return status === 200 && typeof reply === 'object' && reply !== null && 'error' in reply && reply.error !== null
}

/** Takes the result out of a whole JSON-RPC answer with this id. */
function toResult(text: string, id: number): Hex | undefined {
  const reply = parse(text)
  if (typeof reply !== 'object' || reply === null) return undefined
  const told: { jsonrpc?: unknown; id?: unknown; error?: unknown; result?: unknown } = reply
  if (told.jsonrpc !== '2.0' || told.id !== id || (told.error ?? null) !== null) return undefined
  const isHex = typeof told.result === 'string' && /^0x([\da-f]{2})*$/i.test(told.result)
  return isHex ? (`${told.result}`.toLowerCase() as Hex) : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Completes what a lie holds with the truth about the feeds behind the last; undefined when their blocks differ. */
export function complete(holding: Holding, truth: Holding): Holding | undefined {
  if (holding.entries.length === truth.entries.length) return holding
  if (holding.block !== truth.block) return undefined
  return { block: truth.block, entries: [...holding.entries, ...truth.entries.slice(holding.entries.length)] }
}

const names = { mainnet: 'Robinhood Chain', testnet: 'Robinhood Chain Testnet' }
const chainIds = { mainnet: 4663, testnet: 46630 }
const explorers = {
  mainnet: 'https://robinhoodchain.blockscout.com',
  testnet: 'https://explorer.testnet.chain.robinhood.com',
}

/** Writes the list as the specification has it; why a feed cannot be read is left open. */
export function writeList(
  { block, entries }: Holding,
  { network, feeds, readAt, baseUrl }: Omit<Asked, 'maxHeadAgeSeconds'>,
): string {
  const head = { network: names[network], chainId: chainIds[network], block, readAt, feeds: [] }
  const written = feeds.map((feed, index) => writeEntry(entries[index], feed, network, baseUrl))
  return JSON.stringify(head).replace(/\[\]\}$/, `[${written.join(',')}]}`)
}

function writeEntry(
  entry: Entry | undefined,
  { symbol, address, token }: Feed,
  network: Network,
  baseUrl: string,
): string {
  const url = `${baseUrl}/price/${symbol}${network === 'mainnet' ? '' : '?network=testnet'}`
  if (entry !== undefined && entry !== 'feed-unreadable') return entry.replace(/\}$/, `,"url":"${url}"}`)
  const explorer = { feed: `${explorers[network]}/address/${address}`, token: `${explorers[network]}/address/${token}` }
  return JSON.stringify({ symbol, feed: address, token, explorer, url, problem: JSON.parse(unreadable) })
}

/** The problem of a feed that cannot be read; why is left open. */
export const unreadable =
  '{"type":"urn:problem-type:price-lookup:feed-unreadable","title":"Feed unreadable","status":502,"detail":"…"}'

/** The problem of a chain that gave no valid answer. */
export const unavailable =
  '{"type":"urn:problem-type:price-lookup:chain-unavailable","title":"Chain unavailable","status":503,"detail":"…"}'

/** Leaves open why something is as it is, where that is one of our own sentences. */
export function leaveOpen(body: string): string {
  return body.replace(sentences, '"detail":"…"')
}

const reasons = [
  'latestDetail\\(\\) reverted with (FeedUnavailable|NoHistory|Error|Panic|an unnamed error|0x[0-9a-f]{8})',
  'no contract is at its address',
  'latestDetail\\(\\) answered malformed data',
  'its status is none of the seven',
  'it observed its price after the year 9999',
]
const sentences = new RegExp(
  `"detail":"(The chain answered, but this feed cannot be read: (${reasons.join('|')})\\.|` +
    'No valid answer came from the chain in time. This says nothing about any feed.)"',
  'g',
)
