import type { FaultKind } from '../../../lambda/faults.ts'
import { toCorrectResult } from '../chain/correct-node.ts'
import { type Respond, toReply } from '../chain/faulty-node.ts'

/** A reply that is made to keep its reader busy, and the most that the reader takes of it. */
export interface HostileReply {
  readonly name: string
  readonly respond: Respond
  /** Undefined for a valid reply. */
  readonly kind?: FaultKind
  /** Bytes that are taken from the connection. */
  readonly taken: number
  /** Whether it is parsed as JSON, and not only a valid one is. */
  readonly parses?: true
}

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

/** Replies that reach a limit of the reader or of Node, each another one. */
export const hostileReplies: readonly HostileReply[] = [
  {
    name: 'a body without an end',
    respond: endless(ok, '['.repeat(bound)),
    kind: 'oversized',
    taken: untilOversized,
  },
  {
    // Of 6 bytes on the wire, one counts.
    name: 'chunks of a byte without an end',
    respond: endless(chunked, '1\r\n[\r\n'.repeat(10_000)),
    kind: 'oversized',
    taken: 6 * untilOversized,
  },
  {
    name: 'a body of status 500 without an end',
    respond: endless('HTTP/1.1 500 Error\r\n', 'a'.repeat(bound)),
    kind: 'http-status',
    taken: untilOversized,
  },
  {
    name: 'headers without an end',
    respond: endless('HTTP/1.1 200 OK', header),
    kind: 'unreachable',
    taken: untilHeadersOversized,
  },
  {
    name: 'trailers without an end',
    respond: endless(`${chunked}Trailer: X-Node\r\n\r\n0`, header),
    kind: 'unreachable',
    taken: untilHeadersOversized,
  },
  {
    name: 'nested arrays in the largest body',
    respond: response => response.setHeader('Connection', 'close').end('['.repeat(bound / 2) + ']'.repeat(bound / 2)),
    kind: 'malformed-envelope',
    taken: 2 * bound,
    parses: true,
  },
  {
    name: 'the correct reply, and then a thousand more',
    respond: ({ socket }, request) => {
      const text = toReply(request, toCorrectResult('testnet', request))
      socket?.write(`${ok}Content-Length: ${text.length}\r\n\r\n${text}`.repeat(1_000))
    },
    taken: 2 * bound,
  },
]
