import type { Socket } from 'node:net'
import { attemptMs } from '../../../lambda/timing.ts'
import { canary, type Respond, silence, status } from '../../support/chain/faulty-node.ts'
import { correct } from '../../support/chain/keyed-node.ts'
import { type FaultCase, raw, toCases } from '../../support/faults/fault-case.ts'

/** The head of a response with status 200. */
const ok = (...headers: string[]) =>
  `HTTP/1.1 200 OK\r\n${[`X-Node: ${canary}`, ...headers].map(header => `${header}\r\n`).join('')}\r\n`
const hints = (count: number) => 'HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n'.repeat(count)
/** Waits on the clock that the tests stop. */
const sleep = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
const lengthOf = (text: string) => `Content-Length: ${Buffer.byteLength(text)}`

/** Writes bytes and ends the connection. */
const send = (toBytes: (text: string) => string): Respond => raw((socket, text) => socket.end(toBytes(text)))

/** Writes a part repeatedly until the client closes the connection. */
async function repeat(socket: Socket, part: string, everyMs: number): Promise<void> {
  while (!socket.destroyed) {
    socket.write(part)
    await sleep(everyMs)
  }
}

/** Writes a text byte by byte until the client closes the connection. */
async function writeSlowly(socket: Socket, text: string, everyMs: number): Promise<void> {
  for (const byte of text) {
    if (socket.destroyed) return
    socket.write(byte)
    await sleep(everyMs)
  }
}

/** Connections that fail. */
const broken: FaultCase[] = toCases('connection', 'unreachable', [
  ['refused', silence, 'unreachable', { unreachable: 'no listener' }],
  ['unknown host', silence, 'unreachable', { unreachable: 'unknown host' }],
  ['https at a port without TLS', silence, 'unreachable', { unreachable: 'no TLS' }],
  ['closed after the request', raw(socket => socket.end())],
  ['reset after the request', raw(socket => socket.resetAndDestroy())],
  ['closed within the headers', raw(socket => socket.end('HTTP/1.1 200 OK\r\nX-No'))],
  [
    'reset within the body',
    raw((socket, text) => {
      socket.write(ok(lengthOf(text)) + text.slice(0, 99), () => setImmediate(() => socket.resetAndDestroy()))
    }),
  ],
  ['closed within the body', send(text => ok(lengthOf(text)) + text.slice(0, -9))],
  ['a length that is too long', send(text => ok('Content-Length: 99999') + text)],
  ['closed between two chunks', send(() => `${ok('Transfer-Encoding: chunked')}1\r\n{\r\n`)],
])

/** Invalid or unusual HTTP. */
const protocol: FaultCase[] = toCases('HTTP', 'unreachable', [
  ['another protocol', send(() => `SSH-2.0-${canary}\r\n`)],
  ['the correct reply without HTTP', send(text => text)],
  ['HTTP/2 without negotiation', send(() => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')],
  ['a status of two digits', send(text => `HTTP/1.1 20 OK\r\n${lengthOf(text)}\r\n\r\n${text}`)],
  [
    'a status of 999',
    send(text => `HTTP/1.1 999 OK\r\nConnection: close\r\n${lengthOf(text)}\r\n\r\n${text}`),
    'http-status',
  ],
  [
    'a switch to another protocol (101)',
    raw(socket => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ws\r\n\r\n')),
  ],
  ['NUL in a header', send(text => ok('X-Node: \0', lengthOf(text)) + text)],
  ['chunks without a size', send(text => ok('Transfer-Encoding: chunked') + text)],
  ['chunks and a length', send(text => ok('Transfer-Encoding: chunked', lengthOf(text)) + text)],
  ['two lengths', send(text => ok('Content-Length: 9', lengthOf(text)) + text)],
  ['a negative length', send(text => ok('Content-Length: -1') + text)],
  ['the correct reply over HTTP/1.0', send(text => `HTTP/1.0 200 OK\r\n\r\n${text}`), {}],
  ['the correct reply up to the end of the connection', send(text => ok('Connection: close') + text), {}],
  ['8 early hints before the correct reply (103)', send(text => hints(8) + ok(lengthOf(text)) + text), {}],
  ['9 early hints before the correct reply (103)', send(text => hints(9) + ok(lengthOf(text)) + text), 'oversized'],
])

/** Responds correctly after a time. */
const after =
  (ms: number): Respond =>
  async (response, body) => {
    await sleep(ms)
    correct(response, body)
  }

/** Writes the start of a response, and then a part repeatedly. */
const endless = (start: string, part: string): Respond =>
  raw(async socket => {
    socket.write(start)
    await repeat(socket, part, 50)
  })

/** Writes a start, and never the end. */
const stalled = (toText: (text: string) => string): Respond => raw((socket, text) => socket.write(toText(text)))
const inOneChunk = (text: string) => `${ok('Transfer-Encoding: chunked')}${text.length.toString(16)}\r\n${text}\r\n`

/** Nodes that take longer than an attempt. */
const silences: readonly (readonly [name: string, respond: Respond])[] = [
  ['headers that never arrive', silence],
  ['a header byte per 50 ms', raw((socket, text) => writeSlowly(socket, ok(lengthOf(text)) + text, 50))],
  ['a header without end', endless('HTTP/1.1 200 OK\r\n', 'X-Node: 1\r\n')],
  ['a body that never begins', stalled(text => ok(lengthOf(text)))],
  ['a body that stalls', stalled(text => ok(lengthOf(text)) + text.slice(0, -1))],
  [
    'a body of a byte per 50 ms',
    raw(async (socket, text) => {
      socket.write(ok(lengthOf(text)))
      await writeSlowly(socket, text, 50)
    }),
  ],
  ['a space per 50 ms', endless(ok(), ' ')],
  ['the correct reply, without an end', stalled(text => ok() + text)],
  ['the correct reply, without its last chunk', stalled(inOneChunk)],
  ['the correct reply after 2 s', after(2_000)],
  ['429 after 2 s', async (response, request) => sleep(2_000).then(() => status(429, canary)(response, request))],
]

const slowness: FaultCase[] = toCases('slow node', 'timeout', [
  ...silences.map(([name, respond]) => [name, respond, 'timeout', { slowMs: attemptMs }] as const),
  ['the correct reply after 1 s', after(1_000), {}, { slowMs: 1_000 }],
])

/** Faults of connections and of HTTP. */
export const connections: FaultCase[] = [...broken, ...protocol, ...slowness]
