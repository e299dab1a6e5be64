import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, canary, page, raw, silence } from '../answers.ts'
import { type FaultCase, toCases } from '../fault-case.ts'

/** The head of an answer that is well, but for the canary. */
const ok = (...headers: string[]) =>
  `HTTP/1.1 200 OK\r\n${[`X-Node: ${canary}`, ...headers].map(header => `${header}\r\n`).join('')}\r\n`
const lengthOf = (text: string) => `Content-Length: ${Buffer.byteLength(text)}`

/** Writes a text and ends the connection. */
const say = (toBytes: (text: string) => string): Answer => raw((socket, text) => void socket.end(toBytes(text)))

/** Writes a part over and over, until nobody listens any more. */
async function repeat(socket: Socket, part: string, everyMs: number): Promise<void> {
  while (!socket.destroyed) {
    socket.write(part)
    await sleep(everyMs)
  }
}

/** Writes a text byte by byte, until nobody listens any more. */
async function drip(socket: Socket, text: string, everyMs: number): Promise<void> {
  for (const byte of text) {
    if (socket.destroyed) return
    socket.write(byte)
    await sleep(everyMs)
  }
}

/** Connections that never were, or that broke. */
export const connections: FaultCase[] = toCases('connections', [
  ['refused: nobody listens', silence, 'unreachable', { unasked: 'nobody listens' }],
  ['a host that no DNS knows', silence, 'unreachable', { unasked: 'unknown host' }],
  ['https, where nobody speaks TLS', silence, 'unreachable', { unasked: 'speaks no TLS' }],
  ['dropped when asked', raw(socket => void socket.end()), 'unreachable'],
  ['reset when asked', raw(socket => void socket.resetAndDestroy()), 'unreachable'],
  ['dropped in the middle of the headers', raw(socket => void socket.end('HTTP/1.1 200 OK\r\nX-No')), 'unreachable'],
  [
    'reset in the middle of the body',
    raw((socket, text) => {
      socket.write(ok(lengthOf(text)) + text.slice(0, 99), () => setTimeout(() => socket.resetAndDestroy(), 20))
    }),
    'unreachable',
  ],
  ['dropped in the middle of the body', say(text => ok(lengthOf(text)) + text.slice(0, -9)), 'unreachable'],
  ['a length that is too long', say(text => ok('Content-Length: 99999') + text), 'unreachable'],
  ['dropped between two chunks', say(() => `${ok('Transfer-Encoding: chunked')}1\r\n{\r\n`), 'unreachable'],
])

/** Bytes that are not the HTTP of an answer. */
export const protocol: FaultCase[] = toCases('odd HTTP', [
  ['another protocol', say(() => `SSH-2.0-${canary}\r\n`), 'unreachable'],
  ['the true answer and no HTTP', say(text => text), 'unreachable'],
  ['HTTP/2 without a word before', say(() => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), 'unreachable'],
  ['a status of two digits', say(text => `HTTP/1.1 20 OK\r\n${lengthOf(text)}\r\n\r\n${text}`), 'unreachable'],
  ['a status of 999', say(text => `HTTP/1.1 999 OK\r\n${lengthOf(text)}\r\n\r\n${text}`), 'http-status'],
  [
    'a switch to another protocol (101)',
    raw(socket => void socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ws\r\n\r\n')),
    'unreachable',
  ],
  ['a header of 100 kB', page(200, '{}', { 'X-Long': canary.repeat(9_000) }), 'unreachable'],
  ['2,000 headers', say(text => ok(...Array(2_000).fill(`X-Node: ${canary}`)) + text), 'unreachable'],
  ['NUL in a header', say(text => ok('X-Node: \0', lengthOf(text)) + text), 'unreachable'],
  ['chunks without a size', say(text => ok('Transfer-Encoding: chunked') + text), 'unreachable'],
  ['chunks and a length', say(text => ok('Transfer-Encoding: chunked', lengthOf(text)) + text), 'unreachable'],
  ['two lengths', say(text => ok('Content-Length: 9', lengthOf(text)) + text), 'unreachable'],
  ['a negative length', say(text => ok('Content-Length: -1') + text), 'unreachable'],
  ['the true answer over HTTP/1.0', say(text => `HTTP/1.0 200 OK\r\n\r\n${text}`), { record: {} }],
  ['the true answer up to the end of the connection', say(text => ok('Connection: close') + text), { record: {} }],
  [
    'early hints before the true answer (103)',
    say(text => `HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n${ok(lengthOf(text))}${text}`),
    { record: {} },
  ],
  [
    'the true answer in chunks of a byte',
    say(text => `${ok('Transfer-Encoding: chunked')}${text.replace(/./gs, byte => `1\r\n${byte}\r\n`)}0\r\n\r\n`),
    { record: {} },
  ],
])

const timeout = 'timeout' as const
const slow = { slow: true }

/** Nodes that take their time. */
export const slowness: FaultCase[] = toCases('time', [
  ['headers that never come', silence, timeout, slow],
  ['a header byte per 50 ms', raw((socket, text) => drip(socket, ok(lengthOf(text)) + text, 50)), timeout, slow],
  ['"continue" (100) without end', raw(socket => repeat(socket, 'HTTP/1.1 100 Continue\r\n\r\n', 50)), timeout, slow],
  [
    'a header without end',
    raw(async socket => {
      socket.write('HTTP/1.1 200 OK\r\n')
      await repeat(socket, 'X-Node: 1\r\n', 50)
    }),
    timeout,
    slow,
  ],
  ['a body that never begins', raw((socket, text) => void socket.write(ok(lengthOf(text)))), timeout, slow],
  [
    'a body that stalls',
    raw((socket, text) => void socket.write(ok(lengthOf(text)) + text.slice(0, -1))),
    timeout,
    slow,
  ],
  [
    'a body of a byte per 50 ms',
    raw(async (socket, text) => {
      socket.write(ok(lengthOf(text)))
      await drip(socket, text, 50)
    }),
    timeout,
    slow,
  ],
  [
    'a space per 50 ms',
    raw(async socket => {
      socket.write(ok())
      await repeat(socket, ' ', 50)
    }),
    timeout,
    slow,
  ],
  ['the true answer, without an end', raw((socket, text) => void socket.write(ok() + text)), timeout, slow],
  [
    'the true answer, without its last chunk',
    raw(
      (socket, text) =>
        void socket.write(`${ok('Transfer-Encoding: chunked')}${text.length.toString(16)}\r\n${text}\r\n`),
    ),
    timeout,
    slow,
  ],
  [
    'the true answer after 2 s',
    async ({ response, askNode }) => {
      await sleep(2_000)
      response.end(await askNode())
    },
    timeout,
    slow,
  ],
  [
    '429 after 2 s',
    async exchange => {
      await sleep(2_000)
      await page(429, canary)(exchange)
    },
    timeout,
    slow,
  ],
  [
    'the true answer after 1 s',
    async ({ response, askNode }) => {
      await sleep(1_000)
      response.end(await askNode())
    },
    { record: {} },
    slow,
  ],
  [
    'an endless body as fast as it goes',
    raw(socket => {
      socket.write(ok())
      const pour = (): void => {
        while (!socket.destroyed && socket.write(canary.repeat(1_000)));
      }
      socket.on('drain', pour)
      pour()
    }),
    'oversized',
  ],
])
