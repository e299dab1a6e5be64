import { execFile } from 'node:child_process'
import type { Socket } from 'node:net'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { closeIdleTo, post } from '../../../lambda/chain/post.ts'
import { Fault } from '../../../lambda/faults.ts'
import { connectionMs } from '../../../lambda/timing.ts'
import { startFaultyNode, status } from '../../support/chain/faulty-node.ts'
import { until } from '../../support/clock.ts'

const send = (url: URL, signal = new AbortController().signal) => post(url, '{"request":0}', signal)
const succeed = status(200, 'yes')
const brokenResponse = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

test('when an idle connection and the new one both break, the fault is unreachable', async () => {
  const sockets: (object | null)[] = []
  await using node = await startFaultyNode((response, body) => {
    sockets.push(response.socket)
    if (sockets.length === 1) succeed(response, body)
    else response.socket?.resetAndDestroy()
  })
  expect(await send(node.url)).toBe('yes')
  await expect(send(node.url)).rejects.toEqual(new Fault('unreachable'))
  // The second request is on the idle connection, its only retry on a new one.
  expect(sockets).toHaveLength(3)
  expect(sockets[1]).toBe(sockets[0])
  expect(sockets[2]).not.toBe(sockets[0])
  expect(node.requests[2]).toBe(node.requests[1])
})

test.each<[string, (socket: Socket | null, over: AbortController) => unknown, Fault]>([
  ['that its read ends', (_, over) => over.abort(), new Fault('timeout')],
  ['whose response breaks', socket => socket?.write(brokenResponse), new Fault('unreachable')],
])('a request %s on an idle connection is not repeated', async (_, fail, fault) => {
  const over = new AbortController()
  await using node = await startFaultyNode((response, body) =>
    node.requests.length === 1 ? succeed(response, body) : fail(response.socket, over),
  )
  expect(await send(node.url, over.signal)).toBe('yes')
  await expect(send(node.url, over.signal)).rejects.toEqual(fault)
  expect(node.requests).toHaveLength(2)
})

test('a request is repeated on a new connection, which is kept, and only its URL’s idle connections are closed (D24)', async () => {
  await using other = await startFaultyNode(succeed)
  await send(other.url)
  const used = new Set<object | null>()
  const together = Promise.withResolvers<void>()
  await using node = await startFaultyNode(async (response, body) => {
    // The node closes each of its first two connections at its second request.
    if (used.has(response.socket) && used.size === 2) return response.socket?.resetAndDestroy()
    used.add(response.socket)
    if (used.size === 2) together.resolve()
    await together.promise
    return succeed(response, body)
  })
  expect(await Promise.all([send(node.url), send(node.url)])).toEqual(['yes', 'yes'])
  expect(await send(node.url)).toBe('yes')
  expect(node.requests).toHaveLength(4)
  expect(await send(node.url)).toBe('yes')
  await send(other.url)
  expect([node.requests.length, node.countOpened(), other.countOpened()]).toEqual([5, 3, 1])
})

test('a connection is used for a time after it was opened, however often it is used', async () => {
  await using node = await startFaultyNode(succeed)
  await send(node.url)
  const opened = Date.now()
  for (const ageMs of [100, 3_000, connectionMs / 4, connectionMs / 2, connectionMs - 1]) {
    vi.setSystemTime(opened + ageMs)
    await send(node.url)
    expect(node.countOpened()).toBe(1)
  }
  vi.setSystemTime(opened + connectionMs)
  await send(node.url)
  expect(node.countOpened()).toBe(2)
})

test('a connection whose request was aborted at once is not used', async () => {
  const over = new AbortController()
  await using node = await startFaultyNode(succeed)
  const aborted = send(node.url, over.signal)
  over.abort()
  await expect(aborted).rejects.toEqual(new Fault('timeout'))
  await until(() => node.countOpen() === 1)
  await send(node.url)
  expect([node.requests.length, node.countOpened()]).toEqual([1, 2])
})

test('a request uses the younger of two idle connections, when the older one was just closed', async () => {
  const waiting: Array<() => void> = []
  await using node = await startFaultyNode((response, body) => {
    // At the second and third request, which are sent at once, the younger connection is idle first.
    if (node.requests.length === 1 || node.requests.length > 3) return succeed(response, body)
    waiting.push(() => succeed(response, body))
    if (waiting.length === 2) waiting[1]?.()
    return undefined
  })
  await send(node.url)
  vi.setSystemTime(Date.now() + 1_000)
  const older = send(node.url)
  await send(node.url)
  waiting[0]?.()
  await older
  vi.setSystemTime(Date.now() + connectionMs - 1_000)
  await send(node.url)
  expect([node.requests.length, node.countOpened()]).toEqual([4, 2])
})

test('a response with another status than 2xx is closed before its body has ended, and nothing is thrown later', async () => {
  const thrown = vi.fn()
  process.on('uncaughtExceptionMonitor', thrown)
  await using node = await startFaultyNode(response => response.writeHead(503, { 'Content-Length': 9 }).write('x'))
  await expect(send(node.url)).rejects.toEqual(new Fault('http-status', { httpStatus: 503 }))
  await until(() => node.countOpen() === 0)
  process.off('uncaughtExceptionMonitor', thrown)
  expect(thrown).not.toHaveBeenCalled()
})

test('a failure at one URL costs no connection of another URL at the same host (D24)', async () => {
  const sockets = new Set<object | null>()
  await using node = await startFaultyNode((response, body) => {
    if (response.req.url !== '/failing') sockets.add(response.socket)
    return succeed(response, body)
  })
  const failing = new URL('/failing', node.url)
  for (let reads = 0; reads < 3; reads += 1) {
    await send(node.url)
    await send(failing)
    closeIdleTo(failing)
  }
  expect(sockets.size).toBe(1)
  // Four connections: one of the URL that is in order, and one for each failure.
  expect([node.requests.length, node.countOpened()]).toEqual([6, 4])
})

test('a URL that is parsed again, as each reload of the parameter does, keeps its connection (D22)', async () => {
  await using node = await startFaultyNode(succeed)
  for (let reloads = 0; reloads < 3; reloads += 1) await send(new URL(node.url))
  expect(node.countOpened()).toBe(1)
  closeIdleTo(new URL(node.url))
  await send(node.url)
  expect(node.countOpened()).toBe(2)
})

test('the connection of a URL that is no longer requested is closed after its time, by a request to another URL', async () => {
  await using removed = await startFaultyNode(succeed)
  await using used = await startFaultyNode(succeed)
  await send(removed.url)
  vi.setSystemTime(Date.now() + connectionMs - 1)
  await send(used.url)
  expect(removed.countOpen()).toBe(1)
  vi.setSystemTime(Date.now() + 1)
  await send(used.url)
  await until(() => removed.countOpen() === 0)
  expect(used.countOpened()).toBe(1)
})

/** Sends a request as the functions do, and one as any other program does. Prints the result of each. */
const program = `
  import http from 'node:http'
  import { post } from './lambda/chain/post.ts'
  const [, url] = process.argv
  const sent = post(new URL(url), '{}', new AbortController().signal).catch(error => error.kind)
  const other = new Promise(resolve => http.get(url, resolve).on('error', resolve))
  console.log(JSON.stringify([await sent, (await other).statusCode]))
  process.exit()`

test.each<[what: string, option: string, header: string, printed: readonly unknown[]]>([
  ['with 15 kB of headers is read', '--max-http-header-size=8192', `X-Long: ${'x'.repeat(15_000)}`, ['yes', null]],
  ['with a malformed header is unreachable', '--insecure-http-parser', 'X-Odd: \x01', ['unreachable', 200]],
])('a node %s, also if a shell has NODE_OPTIONS=%s (D24)', async (_, option, header, printed) => {
  vi.useRealTimers()
  await using node = await startFaultyNode(response =>
    response.socket?.end(`HTTP/1.1 200 OK\r\nContent-Length: 3\r\n${header}\r\n\r\nyes`),
  )
  const args = ['--input-type=module', '--eval', program, node.url.href]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { NODE_OPTIONS: option } })
  expect(JSON.parse(stdout)).toEqual(printed)
})

test('a request whose connection is switched to another protocol ends with the connection', async () => {
  const switched = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ws\r\n\r\n'
  await using node = await startFaultyNode(response => response.socket?.write(switched))
  const thrown = vi.fn()
  void send(node.url).catch(thrown)
  await until(() => node.requests.length === 1 && node.countOpen() === 0)
  await until(() => thrown.mock.calls.length > 0)
  expect(thrown.mock.calls).toEqual([[new Fault('unreachable')]])
})
