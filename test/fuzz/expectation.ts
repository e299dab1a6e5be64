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

/** What a node's answer holds. */
interface Held {
  /** Whether the service must use it. */
  readonly isSure: boolean
  /** Whether the service reads a list in parts after it. */
  readonly isDivided: boolean
  readonly holding: Holding | undefined
}

/** Below this no true answer is too large, whatever was asked. */
const surelyReadBytes = 65_536

/** Decodes what a node's answer holds. */
export function hold(told: Told, id: number, asked: Asked): Held {
  const isSure = told.framing === 'clear' && Buffer.byteLength(told.text) <= surelyReadBytes
  const result = told.status === 200 ? toResult(told.text, id) : undefined
  const holding = result && refer(result, asked.feeds, asked, asked.maxHeadAgeSeconds)
  const isDivided = holding === 'out of gas' || isRpcError(told)
  return { isSure, isDivided, holding: holding === 'out of gas' ? undefined : holding }
}

const rateLimitCodes: readonly unknown[] = [429, -32_005, -32_007, -32_016, -32_029, -32_605]

/** Whether a reply is a JSON-RPC error other than a rate limit: then a list is read again in parts. */
function isRpcError({ status, text }: Told): boolean {
  const reply = parse(text)
  if (status !== 200 || typeof reply !== 'object' || reply === null || !('error' in reply)) return false
  return reply.error !== null && !rateLimitCodes.includes(Object(reply.error).code)
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
