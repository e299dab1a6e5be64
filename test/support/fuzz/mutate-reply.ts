import fc from 'fast-check'
import type { Hex } from 'viem'
import { canary } from '../chain/faulty-node.ts'
import { mutate, mutations, type ValueOf } from './mutate-output.ts'

const unusual = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, true, 42, 0, '', canary, {}, [], '2.0', '1.0', '0x', '0x0', '0xzz'),
  fc.jsonValue({ maxDepth: 2 }),
)
const error = fc.oneof(
  unusual,
  fc.record({ code: fc.constantFrom(3, -32000, -32005, -32603, 429), message: fc.constant(canary) }),
)
const envelope = fc.oneof(
  { weight: 3, arbitrary: fc.constant('unchanged' as const) },
  fc.constantFrom('jsonrpc', 'id', 'result', canary).chain(field => unusual.map(value => ({ [field]: value }))),
  error.map(value => ({ error: value })),
  error.map(value => ({ error: value, result: undefined })),
  unusual.map(whole => ({ whole })),
)
const around = fc.constantFrom('', ' ', '\uFEFF', '{"id":7,', '[', ']', '}', canary, '\0', '{}', ' '.repeat(90_000))
const text = fc.oneof(
  { weight: 2, arbitrary: fc.constant('unchanged' as const) },
  fc.record({ kind: fc.constantFrom('truncate' as const, 'flip' as const), at: fc.nat(0xffff) }),
  fc.record({ kind: fc.constant('wrap' as const), before: around, after: around }),
)
const header = fc.oneof(
  fc.string({ maxLength: 30 }).map(value => `X-Node: ${value.replace(/[\r\n\0]/g, '')}`),
  fc.constantFrom(
    `Location: http://127.0.0.1:9/${canary}`,
    `Set-Cookie: a=${canary}`,
    `X-Node: ${canary.repeat(2_000)}`,
  ),
  fc.constantFrom('Content-Encoding: gzip', 'Content-Type: text/html', 'Retry-After: 3600', 'Trailer: X'),
  fc.constantFrom('Connection: close', 'Connection: upgrade', 'Upgrade: websocket', 'Content-Length: 5'),
  fc.constantFrom('Transfer-Encoding: chunked', 'a line without a colon', ' folded'),
)
const status = fc.oneof(
  fc.constant(200),
  fc.constantFrom(201, 204, 301, 304, 401, 403, 429, 502),
  fc.integer({ min: 101, max: 999 }),
)
/** The status line and headers of the response. Without them, the HTTP server of the node writes one. */
const http = fc.option(
  fc.record({ status, reason: fc.constantFrom('', 'OK', canary), headers: fc.array(header, { maxLength: 3 }) }),
  { nil: undefined, freq: 2 },
)

const anyMutation = fc.record({ output: mutations, envelope, text, http })

/** How a node changes its correct reply. */
export type ReplyMutation = ValueOf<typeof anyMutation>

/** No change at all. */
export const noMutation: ReplyMutation = { output: [], envelope: 'unchanged', text: 'unchanged', http: undefined }

/** Changed replies, most of them one change away from a correct one. */
export const replyMutations: fc.Arbitrary<ReplyMutation> = fc.oneof(
  { weight: 6, arbitrary: mutations.map(output => ({ ...noMutation, output })) },
  envelope.map(changed => ({ ...noMutation, envelope: changed })),
  text.map(changed => ({ ...noMutation, text: changed })),
  http.map(changed => ({ ...noMutation, http: changed })),
  anyMutation,
)

/** Changes the body of the correct reply to the call with this id. */
export function mutateBody({ output, envelope, text }: ReplyMutation, id: number, correct: Hex): Buffer {
  const good = { jsonrpc: '2.0', id, result: mutate(correct, output) }
  const reply = envelope === 'unchanged' ? good : 'whole' in envelope ? envelope.whole : { ...good, ...envelope }
  return changeText(JSON.stringify(reply) ?? '', text)
}

/** Writes every byte of a response. */
export function writeResponse(http: NonNullable<ReplyMutation['http']>, body: Buffer): Buffer {
  const lines = [`HTTP/1.1 ${http.status} ${http.reason}`, ...http.headers, `Content-Length: ${body.length}`]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body])
}

function changeText(text: string, change: ReplyMutation['text']): Buffer {
  if (change === 'unchanged') return Buffer.from(text)
  if (change.kind === 'wrap') return Buffer.from(change.before + text + change.after)
  const bytes = Buffer.from(text)
  const at = bytes.length === 0 ? 0 : change.at % bytes.length
  if (change.kind === 'truncate') return bytes.subarray(0, at)
  const old = bytes[at]
  if (old !== undefined) bytes[at] = old ^ (1 << (change.at % 8))
  return bytes
}
