import { randomBytes } from 'node:crypto'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { FaultKind } from '../../../lambda/faults.ts'
import { type Respond, status, toReply } from '../chain/faulty-node.ts'
import { toCorrectResult } from '../chain/keyed-node.ts'

/** A reply that is made to keep its reader busy. */
export interface HostileReply {
  readonly name: string
  readonly respond: Respond
  /** Undefined for a valid reply. */
  readonly kind?: FaultKind
}

type Body = string | Buffer

/** As many units as fit between an opening and a closing text. */
function fill(bytes: number, open: string, unit: string, close: string): string {
  return open + unit.repeat((bytes - open.length - close.length) / unit.length) + close
}

/** Nested levels, of an opening and a closing text each. */
function nest(bytes: number, open: string, close: string): string {
  const levels = bytes / (open.length + close.length)
  return open.repeat(levels) + close.repeat(levels)
}

/** An object of keys that count down. */
function keys(bytes: number, from: number): string {
  const count = (bytes - 20) / 16
  return `{${Array.from({ length: count }, (_, index) => `"${`${from - index}`.padStart(10, '0')}":0`).join()}}`
}

/** Bodies of about this size. */
const bodies: Readonly<Record<string, (bytes: number, id: number) => Body>> = {
  'nested arrays': bytes => nest(bytes, '[', ']'),
  'nested arrays that do not end': bytes => '['.repeat(bytes),
  'nested objects': bytes => `${nest(bytes - 1, '{"":', '}').replace(':}', ':0}')}`,
  'nested __proto__': bytes => `${nest(bytes - 1, '{"__proto__":', '}').replace(':}', ':0}')}`,
  'empty arrays': bytes => fill(bytes, '[', '[],', '[]]'),
  'empty objects': bytes => fill(bytes, '[', '{},', '{}]'),
  'objects with a key': bytes => fill(bytes, '[', '{"a":0},', '{}]'),
  'many keys': bytes => keys(bytes, 9_999_999_999),
  'many keys that are indexes': bytes => keys(bytes, 4_294_967_294),
  'duplicate keys': bytes => fill(bytes, '{', '"a":0,', '"a":0}'),
  'duplicate keys __proto__': bytes => fill(bytes, '{', '"__proto__":{},', '"a":0}'),
  'duplicate results': bytes => fill(bytes, '{', '"result":"0x",', '"a":0}'),
  'a long number': bytes => '9'.repeat(bytes),
  'a long fraction': bytes => `0.${'9'.repeat(bytes - 2)}`,
  'a long exponent': bytes => `1e${'9'.repeat(bytes - 2)}`,
  'numbers at the limits of a double': bytes => fill(bytes, '[', '2.2250738585072011e-308,', '0]'),
  'a string of escapes': bytes => fill(bytes, '"', '\\u0000', '"'),
  'a string of lone surrogates': bytes => fill(bytes, '"', '\\ud800', '"'),
  'a string of backslashes': bytes => fill(bytes, '"', '\\\\', '"'),
  'a string that does not end': bytes => `"${'a'.repeat(bytes - 1)}`,
  'empty strings': bytes => fill(bytes, '[', '"",', '""]'),
  'different short strings': bytes =>
    keys(bytes, 9_999_999_999).replaceAll(':0', '').replace('{', '[').replace('}', ']'),
  'white space': bytes => ' '.repeat(bytes),
  'white space between all tokens': bytes => fill(bytes, '[', '\n\t[ ],', '[]]'),
  'NUL bytes': bytes => Buffer.alloc(bytes),
  'byte order marks': bytes => '\u{feff}'.repeat(bytes / 3),
  'bytes that are no UTF-8': bytes => Buffer.alloc(bytes, 0xff),
  'truncated characters': bytes => Buffer.alloc(bytes, 'f09f98', 'hex'),
  'characters of four bytes': bytes => `"${'😀'.repeat((bytes - 2) / 4)}"`,
  'random bytes': bytes => randomBytes(bytes),
  'runs of 999 hexadecimal digits': bytes => fill(bytes, '"', `${'0'.repeat(999)}g`, '"'),
  'replies, as to a batch': (bytes, id) => fill(bytes, '[', `${envelope(id, '"0x"')},`, `${envelope(id, '"0x"')}]`),
  'a result of digits': (bytes, id) => envelope(id, `"0x${'0'.repeat(bytes - 100)}"`),
  'a result of 999 digits and no digit': (bytes, id) =>
    envelope(id, fill(bytes - 100, '"0x', `${'0'.repeat(999)}g`, '"')),
  'a result of digits and a line break': (bytes, id) => envelope(id, `"0x${'0'.repeat(bytes - 100)}\\n"`),
  'a result of nested arrays': (bytes, id) => envelope(id, nest(bytes - 100, '[', ']')),
  'a result of escaped digits': (bytes, id) => envelope(id, fill(bytes - 100, '"0x', '\\u0030', '"')),
  'an error of nested arrays': bytes => `{"error":${nest(bytes - 20, '[', ']')}}`,
  'an error with a long code': bytes => `{"error":{"code":${'9'.repeat(bytes - 30)}}}`,
  'an error with a long message': bytes => `{"error":{"code":-32005,"message":"${'\\n'.repeat(bytes / 2 - 50)}"}}`,
}

const envelope = (id: number, result: string) => `{"jsonrpc":"2.0","id":${id},"result":${result}}`

/** The bound of a reply's size. */
const bound = 65_536

/** What is in place of `malformed-envelope` for the bodies within the bound. */
function kindOf(name: string): FaultKind {
  if (name.startsWith('a result')) return 'malformed-result'
  if (name === 'an error with a long message') return 'rate-limited'
  return name.startsWith('an error') ? 'rpc-error' : 'malformed-envelope'
}

const sized = Object.entries(bodies).flatMap(([name, toBody]): HostileReply[] => {
  const respondWith =
    (bytes: number): Respond =>
    (response, body) =>
      response.end(toBody(bytes, JSON.parse(body).id))
  return [
    { name: `64 KiB of ${name}`, respond: respondWith(bound), kind: kindOf(name) },
    { name: `4 MiB of ${name}`, respond: respondWith(2 ** 22), kind: 'oversized' },
  ]
})

/** Writes the beginning of a response, and then a part as fast as it is read. */
const endless =
  (head: string, part: Body): Respond =>
  ({ socket }) => {
    socket?.on('error', () => {}).write(`${head}\r\n`)
    const write = (): void => {
      while (socket?.writable && socket.write(part)) {}
      if (socket?.writable) socket.once('drain', write)
    }
    write()
  }

/** Writes a response as it is. */
const raw =
  (text: Body): Respond =>
  ({ socket }) =>
    socket?.write(text)

const ok = 'HTTP/1.1 200 OK\r\n'
const chunked = `${ok}Transfer-Encoding: chunked\r\n`
const headers = (count: number, bytes: number) =>
  Array.from({ length: count }, (_, index) => `X-${index}: ${'a'.repeat(bytes)}\r\n`).join('')
const correctly = (body: string) => toReply(body, toCorrectResult('testnet', body))

const responses: Readonly<Record<string, readonly [Respond, FaultKind?]>> = {
  '64 KiB in chunks of a byte': [raw(`${chunked}\r\n${'1\r\n[\r\n'.repeat(bound)}0\r\n\r\n`), 'malformed-envelope'],
  'more than 64 KiB in chunks of a byte': [endless(chunked, '1\r\n[\r\n'.repeat(10_000)), 'oversized'],
  // The reader counts the bytes of the body alone, so the hedging delay ends this one.
  'extensions of chunks of 16 KB': [endless(chunked, `1;${'a'.repeat(16_000)}\r\n[\r\n`), 'slow'],
  'larger extensions of chunks': [endless(chunked, `1;${'a'.repeat(17_000)}\r\n[\r\n`), 'unreachable'],
  'small extensions of chunks': [endless(chunked, '1;a\r\n[\r\n'.repeat(10_000)), 'oversized'],
  'a body without an end': [endless(`${ok}`, '['.repeat(bound)), 'oversized'],
  'a body of 2^53 bytes': [endless(`${ok}Content-Length: ${2 ** 53}\r\n`, '['.repeat(bound)), 'oversized'],
  'an error’s body without an end': [endless('HTTP/1.1 500 Error\r\n', 'a'.repeat(bound)), 'http-status'],
  'a redirect’s body without an end': [
    endless('HTTP/1.1 307 Temporary Redirect\r\nLocation: /\r\n', 'a'.repeat(bound)),
    'http-status',
  ],
  'informational responses without an end': [
    endless('HTTP/1.1 100 Continue\r\n', 'HTTP/1.1 100 Continue\r\n\r\n'),
    'oversized',
  ],
  'large informational responses': [
    endless('HTTP/1.1 103 Early Hints\r\n', `HTTP/1.1 103 Early Hints\r\n${headers(100, 100)}\r\n`),
    'oversized',
  ],
  'a large header': [raw(`${ok}${headers(1, 2 ** 20)}\r\n`), 'unreachable'],
  'headers without an end': [endless(`HTTP/1.1 200 OK`, headers(100, 10)), 'unreachable'],
  'a status line without an end': [endless('HTTP/1.1 200', 'a'.repeat(bound)), 'unreachable'],
  'trailers without an end': [endless(`${chunked}Trailer: X\r\n\r\n0`, headers(100, 10)), 'unreachable'],
  'no HTTP': [endless('220 smtp.example', randomBytes(bound)), 'unreachable'],
  'a gzip bomb': [status(200, gzipSync(Buffer.alloc(2 ** 24)), { 'Content-Encoding': 'gzip' }), 'malformed-envelope'],
  'a Brotli bomb': [
    status(200, brotliCompressSync(Buffer.alloc(2 ** 24)), { 'Content-Encoding': 'br' }),
    'malformed-envelope',
  ],
  'the correct reply with 1,000 headers': [
    (response, body) => {
      for (let index = 0; index < 1_000; index += 1) response.setHeader(`X-${index}`, 'a')
      response.end(correctly(body))
    },
  ],
  'the correct reply, and then another thousand': [
    ({ socket }, body) => {
      const text = correctly(body)
      socket?.write(`${ok}Content-Length: ${text.length}\r\n\r\n${text}`.repeat(1_000))
    },
  ],
  'the correct reply in chunks of a byte': [
    async (response, body) => {
      response.socket?.write(`${chunked}\r\n${correctly(body).replace(/./g, '1\r\n$&\r\n')}0\r\n\r\n`)
    },
  ],
}

/** Every hostile reply. */
export const hostileReplies: readonly HostileReply[] = [
  ...sized,
  ...Object.entries(responses).map(([name, [respond, kind]]) => ({ name, respond, ...(kind && { kind }) })),
]
