import type { Hex } from 'viem'
import type { Feed } from '../../lambda/feeds/registry.ts'
import type { Network } from '../../lambda/networks.ts'
import type { Decoded } from './bodies.ts'
import type { MutatedReply } from './mutate-reply.ts'
import { decodeReference } from './reference.ts'

/** A request to the service, and when it is read. */
export interface Request {
  readonly network: Network
  readonly feeds: readonly Feed[]
  readonly readAt: Date
  /** The API's public address. */
  readonly baseUrl: string
}

/** What the service may make of a reply. */
interface Expectation {
  /** Whether the service must accept the reply if it is valid. It may reject one with unusual HTTP or a large body. */
  readonly isRequired: boolean
  /** Whether the service divides a list after it. */
  readonly isDivided: boolean
  readonly decoded: Decoded | undefined
}

/** A reply of this size is never too large. */
const maxRequiredBytes = 65_536

/** Decodes a reply of a node. */
export function expectationOf(reply: MutatedReply, id: number, request: Request): Expectation {
  const isRequired = reply.framing === 'clear' && Buffer.byteLength(reply.text) <= maxRequiredBytes
  const result = reply.status === 200 ? toResult(reply.text, id) : undefined
  const decoded = result && decodeReference(result, request.feeds, request)
  const isDivided = decoded === 'out of gas' || isRpcError(reply)
  return { isRequired, isDivided, decoded: decoded === 'out of gas' ? undefined : decoded }
}

const rateLimitCodes: readonly unknown[] = [429, -32_005, -32_007, -32_016, -32_029, -32_605]

/** Whether a reply is a JSON-RPC error other than a rate limit, after which a list is divided. */
function isRpcError({ status, text }: MutatedReply): boolean {
  const reply = parse(text)
  if (status !== 200 || typeof reply !== 'object' || reply === null || !('error' in reply)) return false
  return reply.error !== null && !rateLimitCodes.includes(Object(reply.error).code)
}

/** Parses the result of a JSON-RPC reply with this id. */
function toResult(text: string, id: number): Hex | undefined {
  const reply = parse(text)
  if (typeof reply !== 'object' || reply === null) return undefined
  const fields: { jsonrpc?: unknown; id?: unknown; error?: unknown; result?: unknown } = reply
  if (fields.jsonrpc !== '2.0' || fields.id !== id || (fields.error ?? null) !== null) return undefined
  const isHex = typeof fields.result === 'string' && /^0x([\da-f]{2})*$/i.test(fields.result)
  return isHex ? (`${fields.result}`.toLowerCase() as Hex) : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Removes the reasons from a body that are sentences of our own. */
export function withoutReasons(body: string): string {
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
