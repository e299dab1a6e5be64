import net from 'node:net'
import { expect, test, vi } from 'vitest'
import { type EthCall, ethCall } from '../../lambda/chain/eth-call.ts'
import { Fault } from '../../lambda/faults.ts'
import { startFaultyNode, toReply } from './faulty-node.ts'

const call: EthCall = { to: '0xcA11bde05977b3631167028862bE2a173976CA11', data: '0x3408e470', block: 'latest' }
const ask = (url: URL) => ethCall(url, call, { signal: AbortSignal.timeout(2_000), countRequest: () => {} })

test('a kept connection that broke is one retry on a new one, not a fault (D24)', async () => {
  let requests = 0
  await using node = await startFaultyNode((response, body) => {
    requests += 1
    // Every kept connection is reset when it is used again.
    if (response.socket !== null && used.has(response.socket)) return void response.socket.resetAndDestroy()
    if (response.socket !== null) used.add(response.socket)
    response.end(toReply(body, '0x12'))
  })
  const used = new WeakSet<object>()
  for (let calls = 0; calls < 4; calls += 1) expect(await ask(node.url)).toBe('0x12')
  expect(requests).toBeGreaterThan(4)
})

test('a kept connection breaks, and so does the new one in its place: the fault unreachable, after one retry (D24)', async () => {
  const sockets: (object | null)[] = []
  await using node = await startFaultyNode((response, body) => {
    sockets.push(response.socket)
    if (sockets.length === 1) response.end(toReply(body, '0x12'))
    else response.socket?.resetAndDestroy()
  })
  expect(await ask(node.url)).toBe('0x12')
  await expect(ask(node.url)).rejects.toEqual(new Fault('unreachable'))
  // The second request came on the kept connection, its only retry on a new one.
  expect(sockets).toHaveLength(3)
  expect(sockets[1]).toBe(sockets[0])
  expect(sockets[2]).not.toBe(sockets[0])
  // It was the same question.
  expect(node.requests[2]).toBe(node.requests[1])
})

test('the retry is on a new connection though others are kept: they may be as dead (D24)', async () => {
  const used = new Set<object | null>()
  const together = Promise.withResolvers<void>()
  await using node = await startFaultyNode(async (response, body) => {
    if (used.has(response.socket)) return void response.socket?.resetAndDestroy()
    used.add(response.socket)
    if (used.size === 2) together.resolve()
    await together.promise
    response.end(toReply(body, '0x12'))
  })
  expect(await Promise.all([ask(node.url), ask(node.url)])).toEqual(['0x12', '0x12'])
  expect(await ask(node.url)).toBe('0x12')
  expect(used.size).toBe(3)
  expect(node.requests).toHaveLength(4)
})

test('a connection that was idle for more than four seconds is not used again', async () => {
  const sockets = new Set<unknown>()
  await using node = await startFaultyNode((response, body) => {
    sockets.add(response.socket)
    response.end(toReply(body, '0x12'))
  })
  await ask(node.url)
  await ask(node.url)
  expect(sockets.size).toBe(1)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 4_001 })
  await ask(node.url)
  vi.useRealTimers()
  expect(sockets.size).toBe(2)
})

test('that another endpoint was busy meanwhile keeps no connection fresh', async () => {
  const sockets = new Set<unknown>()
  await using spare = await startFaultyNode((response, body) => {
    sockets.add(response.socket)
    response.end(toReply(body, '0x12'))
  })
  await using busy = await startFaultyNode((response, body) => void response.end(toReply(body, '0x12')))
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  await ask(spare.url)
  for (const _ of [1, 2, 3]) {
    vi.setSystemTime(Date.now() + 3_000)
    await ask(busy.url)
  }
  await ask(spare.url)
  vi.useRealTimers()
  expect(sockets.size).toBe(2)
})

test('a switch to another protocol is the fault unreachable, at once', async () => {
  const server = net.createServer(socket => {
    socket.on('error', () => {})
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  await expect(ask(new URL(`http://127.0.0.1:${port}`))).rejects.toEqual(new Fault('unreachable'))
  server.close()
})

test('a connection is used again after a response other than 200 with a short body', async () => {
  const sockets = new Set<unknown>()
  let bodyBytes = 60_000
  await using node = await startFaultyNode(response => {
    sockets.add(response.socket)
    response.writeHead(429).end('x'.repeat(bodyBytes))
  })
  const refused = async () => {
    await expect(ask(node.url)).rejects.toEqual(new Fault('rate-limited', { httpStatus: 429 }))
    // The body arrives after the status.
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  for (let calls = 0; calls < 10; calls += 1) await refused()
  expect(sockets.size).toBe(1)
  bodyBytes = 10_000_000
  await refused()
  await refused()
  expect(sockets.size).toBe(2)
})

test('the fault of a status does not wait for its body, which the end of the read closes', async () => {
  const over = new AbortController()
  const closed = Promise.withResolvers<void>()
  await using node = await startFaultyNode(response => {
    response.on('close', () => closed.resolve())
    response.writeHead(503).write('x')
  })
  const began = performance.now()
  const outcome = ethCall(node.url, call, { signal: over.signal, countRequest: () => {} })
  await expect(outcome).rejects.toEqual(new Fault('http-status', { httpStatus: 503 }))
  expect(performance.now() - began).toBeLessThan(1_000)
  over.abort()
  await closed.promise
})
