import type { FaultKind } from '../../../lambda/faults.ts'
import { toCorrectResult } from '../chain/correct-node.ts'
import { type Respond, toReply } from '../chain/faulty-node.ts'

/** The bound of a body. One read of a connection, and the buffer of a response, have as many bytes at most. */
const bound = 65_536
/** When a body exceeds the bound, Node may have filled the buffer of the response, and read once more. */
const untilOversized = 3 * bound
/** Node refuses headers above 16 KiB. */
const untilHeadersOversized = 2 * bound

/** Much more than any bound, so that a reader without one fails soon. */
const endlessBytes = 16 * 2 ** 20

/** Writes the beginning of a response, and then a part as often as it is read. */
function endless(start: string, part: string): Respond {
  return async ({ socket }) => {
    socket?.write(`${start}\r\n`)
    let sent = 0
    const write = (): void => {
      while (socket?.writable && sent < endlessBytes) {
        sent += part.length
        if (!socket.write(part)) return void socket.once('drain', write)
      }
    }
    write()
  }
}

const ok = 'HTTP/1.1 200 OK\r\n'
const chunked = `${ok}Transfer-Encoding: chunked\r\n`
const header = `X-Node: ${'a'.repeat(1_000)}\r\n`

/** Replies of which the reader counts few bytes or none, so that the hedging delay ends them. */
export const uncountedReplies: readonly (readonly [name: string, respond: Respond])[] = [
  ['chunks of 1 byte in 16 KB', endless(chunked, `1;${'a'.repeat(16_000)}\r\n[\r\n`)],
  ['informational responses', endless('HTTP/1.1 100 Continue\r\n', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000))],
]

/** Writes the correct reply, and the same again and again. */
const repeated: Respond = ({ socket }, request) => {
  const text = toReply(request, toCorrectResult('testnet', request))
  socket?.write(`${ok}Content-Length: ${text.length}\r\n\r\n${text}`.repeat(1_000))
}
const nested: Respond = response =>
  response.setHeader('Connection', 'close').end('['.repeat(bound / 2) + ']'.repeat(bound / 2))

/**
 * Replies that are made to keep their reader busy, and reach a limit of the reader or of Node, each another one: the
 * fault, or none for a valid reply, the most bytes that are taken from the connection, and how many texts are parsed.
 */
export const hostileReplies: readonly (readonly [
  name: string,
  respond: Respond,
  kind: FaultKind | undefined,
  taken: number,
  parsed: number,
])[] = [
  ['a body without an end', endless(ok, '['.repeat(bound)), 'oversized', untilOversized, 0],
  // Of 6 bytes on the wire, one counts.
  ['endless chunks of a byte', endless(chunked, '1\r\n[\r\n'.repeat(10_000)), 'oversized', 6 * untilOversized, 0],
  ['an endless 500', endless('HTTP/1.1 500 Error\r\n', 'a'.repeat(bound)), 'http-status', untilOversized, 0],
  ['endless headers', endless('HTTP/1.1 200 OK', header), 'unreachable', untilHeadersOversized, 0],
  ['endless trailers', endless(`${chunked}Trailer: X-Node\r\n\r\n0`, header), 'unreachable', untilHeadersOversized, 0],
  ['nested arrays in the largest body', nested, 'malformed-envelope', 2 * bound, 1],
  ['the correct reply, and then a thousand more', repeated, undefined, 2 * bound, 1],
]
