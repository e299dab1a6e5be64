import fc from 'fast-check'
import type { Hex } from 'viem'
import { canary } from '../chain/faulty-node.ts'
import { type Mutation, mutate, mutations } from './mutate-output.ts'

/** How a node changes its correct reply. */
export interface ReplyMutation {
  readonly output: readonly Mutation[]
  readonly envelope: Envelope
  readonly text: TextChange
  readonly http: Http
}

/** A changed reply, and its body as its head declares it. */
export interface MutatedReply {
  /** What is sent: a body, or every byte of an HTTP response after which the connection ends. */
  readonly sent: Buffer
  readonly isPlain: boolean
  readonly status: number
  readonly text: string
  /** Whether the end of the body is unambiguous in HTTP. */
  readonly framing: 'clear' | 'ambiguous'
}

type Envelope = Readonly<Record<string, unknown>> | 'unchanged' | { readonly whole: unknown }
type TextChange =
  | 'unchanged'
  | { readonly kind: 'truncate' | 'flip'; readonly at: number }
  | { readonly kind: 'wrap'; readonly before: string; readonly after: string }
interface Http {
  readonly status: number
  readonly reason: string
  readonly headers: readonly string[]
  readonly framing: 'length' | 'chunks' | 'end' | 'too short' | 'too long' | 'bad chunks' | 'no head'
  /** Whether the HTTP server of the node writes the response. */
  readonly isPlain: boolean
}

/** No change at all. */
export const noMutation: ReplyMutation = {
  output: [],
  envelope: 'unchanged',
  text: 'unchanged',
  http: { status: 200, reason: 'OK', headers: [], framing: 'length', isPlain: true },
}

const unusual = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, true, 42, 0, '', canary, {}, [], '2.0', '1.0', '0x', '0x0', '0xzz'),
  fc.jsonValue({ maxDepth: 2 }),
)
const error = fc.oneof(
  unusual,
  fc.record({ code: fc.constantFrom(3, -32000, -32005, -32603, 429), message: fc.constant(canary) }),
)
const envelope: fc.Arbitrary<Envelope> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Envelope>('unchanged') },
  fc.constantFrom('jsonrpc', 'id', 'result', canary).chain(field => unusual.map(value => ({ [field]: value }))),
  error.map(value => ({ error: value })),
  error.map(value => ({ error: value, result: undefined })),
  unusual.map(whole => ({ whole })),
)
const around = fc.constantFrom(
  '',
  ' ',
  '\n\t',
  '\uFEFF',
  '{"id":7,',
  '[',
  ']',
  '}',
  canary,
  '\0',
  '{}',
  ' '.repeat(90_000),
)
const text: fc.Arbitrary<TextChange> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<TextChange>('unchanged') },
  fc.record({ kind: fc.constantFrom('truncate', 'flip'), at: fc.nat(0xffff) }),
  fc.record({ kind: fc.constant('wrap'), before: around, after: around }),
)
const token = fc.string({ unit: fc.constantFrom(...'abXY-_.019'), minLength: 1, maxLength: 12 })
const header = fc.oneof(
  fc
    .tuple(
      token,
      fc.string({ maxLength: 30 }).map(value => value.replace(/[\r\n\0]/g, '')),
    )
    .map(pair => pair.join(': ')),
  fc.constantFrom(
    `Location: http://127.0.0.1:9/${canary}`,
    `Set-Cookie: a=${canary}`,
    `X-Large: ${canary.repeat(2_000)}`,
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
const http: fc.Arbitrary<Http> = fc.oneof(
  fc.constant(noMutation.http),
  status.map(changed => ({ ...noMutation.http, status: changed, isPlain: false })),
  fc.record({
    status,
    reason: fc.constantFrom('', 'OK', canary),
    headers: fc.array(header, { maxLength: 3 }),
    framing: fc.constantFrom('length', 'length', 'chunks', 'end', 'too short', 'too long', 'bad chunks', 'no head'),
    isPlain: fc.constant(false),
  }),
)

/** Changed replies, most of them one change away from a correct one. */
export const replyMutations: fc.Arbitrary<ReplyMutation> = fc.oneof(
  { weight: 6, arbitrary: mutations.map(output => ({ ...noMutation, output })) },
  envelope.map(changed => ({ ...noMutation, envelope: changed })),
  text.map(changed => ({ ...noMutation, text: changed })),
  http.map(changed => ({ ...noMutation, http: changed })),
  fc.record({ output: mutations, envelope, text, http }),
)

/** Changes the correct reply to the call with this id. */
export function mutateReply(mutation: ReplyMutation, id: number, correct: Hex): MutatedReply {
  const { output, envelope, text, http } = mutation
  const good = { jsonrpc: '2.0', id, result: mutate(correct, output) }
  const reply = envelope === 'unchanged' ? good : 'whole' in envelope ? envelope.whole : { ...good, ...envelope }
  const body = changeText(JSON.stringify(reply) ?? '', text)
  return frame(body, http)
}

function changeText(text: string, change: TextChange): Buffer {
  if (change === 'unchanged') return Buffer.from(text)
  if (change.kind === 'wrap') return Buffer.from(change.before + text + change.after)
  const bytes = Buffer.from(text)
  const at = bytes.length === 0 ? 0 : change.at % bytes.length
  if (change.kind === 'truncate') return bytes.subarray(0, at)
  const old = bytes[at]
  if (old !== undefined) bytes[at] = old ^ (1 << (change.at % 8))
  return bytes
}

function frame(body: Buffer, { status, reason, headers, framing, isPlain }: Http): MutatedReply {
  const chunks = Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')])
  const declared = Math.max(0, body.length + (framing === 'too short' ? -1 : framing === 'too long' ? 1 : 0))
  const framingHeaders = {
    end: ['Connection: close'],
    chunks: ['Transfer-Encoding: chunked'],
    'bad chunks': ['Transfer-Encoding: chunked'],
    'no head': [],
    length: [`Content-Length: ${declared}`],
    'too short': [`Content-Length: ${declared}`],
    'too long': [`Content-Length: ${declared}`],
  }[framing]
  const lines = [`HTTP/1.1 ${status} ${reason}`, ...headers, ...framingHeaders]
  const head = framing === 'no head' ? '' : `${lines.join('\r\n')}\r\n\r\n`
  const isChunked = framing === 'chunks' && body.length > 0
  const isClear = headers.length === 0 && (framing === 'length' || framing === 'end' || isChunked)
  return {
    sent: isPlain ? body : Buffer.concat([Buffer.from(head, 'latin1'), isChunked ? chunks : body]),
    isPlain,
    status,
    text: body.subarray(0, declared).toString(),
    framing: isClear ? 'clear' : 'ambiguous',
  }
}
