import type { Hex } from 'viem'
import type { Request } from './bodies.ts'
import type { MutatedReply } from './mutate-reply.ts'
import { decodeReference } from './reference.ts'

/** A reply of this size is never too large. */
const maxRequiredBytes = 65_536

/**
 * Decodes a reply of a node.
 *
 * @returns `isRequired`: the service must accept the reply if it is valid, unlike one with unusual HTTP or a large body; `isDivided`: the
 *   service divides a list after it
 */
export function expectationOf(reply: MutatedReply, id: number, request: Request) {
  const isRequired = reply.framing === 'clear' && Buffer.byteLength(reply.text) <= maxRequiredBytes
  const fields = reply.status === 200 ? parseFields(reply.text) : {}
  const result = toResult(fields, id)
  const decoded = result && decodeReference(result, request)
  const isDivided = decoded === 'out of gas' || isRpcError(fields)
  return { isRequired, isDivided, decoded: decoded === 'out of gas' ? undefined : decoded }
}

/** Parses the fields of a JSON-RPC reply, of which any other text has none. */
function parseFields(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

const rateLimitCodes: readonly unknown[] = [429, -32_005, -32_007, -32_016, -32_029, -32_605]

/** Whether a reply is a JSON-RPC error other than a rate limit, after which a list is divided. */
function isRpcError({ error = null }: Readonly<Record<string, unknown>>): boolean {
  return error !== null && !rateLimitCodes.includes(Object(error).code)
}

/** Takes the result of a JSON-RPC reply with this id. */
function toResult(fields: Readonly<Record<string, unknown>>, id: number): Hex | undefined {
  const { jsonrpc, id: repliedId, error = null, result } = fields
  if (jsonrpc !== '2.0' || repliedId !== id || error !== null) return undefined
  const isHex = typeof result === 'string' && /^0x([\da-f]{2})*$/i.test(result)
  return isHex ? (`${result}`.toLowerCase() as Hex) : undefined
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
