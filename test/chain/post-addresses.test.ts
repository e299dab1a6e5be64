import dns from 'node:dns'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { afterEach, expect, test, vi } from 'vitest'
import { post } from '../../lambda/chain/post.ts'
import { Fault } from '../../lambda/faults.ts'
import { attemptMs } from '../../lambda/timing.ts'
import { startFaultyNode, status } from '../support/chain/faulty-node.ts'

const send = (url: URL, signal = new AbortController().signal) => post(url, '{"request":0}', signal)
const succeed = status(200, 'yes')

afterEach(() => vi.restoreAllMocks())

test('a name that resolves to no address is unreachable', async () => {
  vi.spyOn(dns.promises, 'lookup').mockResolvedValue([] as never)
  await expect(send(new URL('http://node.test'))).rejects.toEqual(new Fault('unreachable'))
})

test('a host with several addresses is reached at the one that listens', async () => {
  const addresses = [
    { address: '::1', family: 6 },
    { address: '127.0.0.1', family: 4 },
  ]
  vi.spyOn(dns.promises, 'lookup').mockResolvedValue(addresses as never)
  await using node = await startFaultyNode(succeed)
  expect(await send(new URL(`http://node.test:${node.url.port}`))).toBe('yes')
})

test('a host is reached at its second address when the first never connects', async () => {
  await using node = await startFaultyNode(succeed)
  const port = Number(node.url.port)
  // A listener that accepts nothing holds two connections, and does not reply to a third.
  const listener = new Worker(listen, { eval: true, workerData: port })
  await once(listener, 'message')
  const held = [1, 2].map(() => connect(port, '127.0.0.2'))
  await Promise.all(held.map(socket => once(socket, 'connect')))

  const addresses = ['127.0.0.2', '127.0.0.1'].map(address => ({ address, family: 4 }))
  vi.spyOn(dns.promises, 'lookup').mockResolvedValue(addresses as never)
  expect(await send(new URL(`http://node.test:${port}`), AbortSignal.timeout(3 * attemptMs))).toBe('yes')
  for (const socket of held) socket.destroy()
  await listener.terminate()
})

const listen = `
  const { parentPort, workerData } = require('node:worker_threads')
  require('node:net').createServer().listen({ port: workerData, host: '127.0.0.2', backlog: 1 }, () => {
    parentPort.postMessage('listening')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  })`
