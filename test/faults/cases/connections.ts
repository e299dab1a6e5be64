import type { Socket } from 'node:net'
import { type Respond, secret, silence } from '../../support/chain/faulty-node.ts'
import { type FaultCase, raw, toCases } from '../../support/faults/fault-case.ts'

/** The status line and headers of a response with status 200. */
const ok = (...headers: string[]) =>
  `HTTP/1.1 200 OK\r\n${[`X-Node: ${secret}`, ...headers].map(header => `${header}\r\n`).join('')}\r\n`
const hint = 'HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n'
/** Waits on the clock that the tests stop. */
const sleep = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
const lengthOf = (text: string) => `Content-Length: ${Buffer.byteLength(text)}`

/** Writes bytes and ends the connection. */
const send = (toBytes: (text: string) => string): Respond => raw((socket, text) => socket.end(toBytes(text)))

/** Writes a body byte by byte until the client closes the connection. */
async function writeSlowly(socket: Socket, text: string): Promise<void> {
  socket.write(ok(lengthOf(text)))
  for (const byte of text) {
    if (socket.destroyed) return
    socket.write(byte)
    await sleep(50)
  }
}

/** Writes a body as fast as it is read, until the client closes the connection. */
function writeEndlessly(socket: Socket): void {
  socket.write(ok())
  const write = (): unknown => {
    while (socket.writable) if (!socket.write('['.repeat(65_536))) return socket.once('drain', write)
    return undefined
  }
  write()
}

/** Connections that fail. */
const broken: FaultCase[] = toCases('connection', 'unreachable', [
  // No service listens at port 1. Another node could take the port of one that has stopped.
  ['refused', silence, 'unreachable', () => 'http://127.0.0.1:1'],
  // A label is too long for DNS.
  ['unknown host', silence, 'unreachable', port => `https://${'x'.repeat(64)}.invalid:${port}`],
  ['closed after the request', raw(socket => socket.end())],
  ['closed within the headers', raw(socket => socket.end('HTTP/1.1 200 OK\r\nX-No'))],
  ['closed within the body', send(text => ok(lengthOf(text)) + text.slice(0, -9))],
  ['closed between two chunks', send(() => `${ok('Transfer-Encoding: chunked')}1\r\n{\r\n`)],
])

/** Invalid or unusual HTTP. */
const protocol: FaultCase[] = toCases('HTTP', 'unreachable', [
  ['another protocol', send(() => `SSH-2.0-${secret}\r\n`)],
  [
    'a switch to another protocol (101)',
    raw(socket => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ws\r\n\r\n')),
  ],
  ['chunks without a size', send(text => ok('Transfer-Encoding: chunked') + text)],
  ['headers of more than 16 KB', send(() => ok(`X-Node: ${'a'.repeat(16_384)}`))],
  ['a body without an end', raw(writeEndlessly), 'oversized'],
  ['the correct reply over HTTP/1.0', send(text => `HTTP/1.0 200 OK\r\n\r\n${text}`), {}],
  ['the correct reply up to the end of the connection', send(text => ok('Connection: close') + text), {}],
  ['early hints before the correct reply (103)', send(text => hint + ok(lengthOf(text)) + text), {}],
  ['the correct reply twice', send(text => (ok(lengthOf(text)) + text).repeat(2)), {}],
])

/** Writes the beginning of a response, and never its end. */
const stalled = (toText: (text: string) => string): Respond => raw((socket, text) => socket.write(toText(text)))

/** Nodes that take longer than an attempt. */
const slowness: FaultCase[] = toCases('slow node', 'timeout', [
  ['headers that never arrive', silence],
  ['a body that stalls', stalled(text => ok(lengthOf(text)) + text.slice(0, -1))],
  ['a body of a byte per 50 ms', raw(writeSlowly)],
  ['the correct reply, without an end', stalled(text => ok() + text)],
])

/** Faults of connections and of HTTP. */
export const connections: FaultCase[] = [...broken, ...protocol, ...slowness]
