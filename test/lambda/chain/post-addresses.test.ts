import dns from 'node:dns'
import http from 'node:http'
import { afterEach, expect, test, vi } from 'vitest'
import { post } from '../../../lambda/chain/post.ts'
import { Fault } from '../../../lambda/faults.ts'
import { startFaultyNode, status } from '../../support/chain/faulty-node.ts'

const send = (url: URL) => post(url, '{"request":0}', new AbortController().signal)
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
  // Node connects to each of several addresses with this method. No machine has a first address that only is silent.
  const { TCP } = Object(process).binding('tcp_wrap')
  const begin = vi.spyOn(TCP.prototype, 'connect').mockReturnValueOnce(0)
  const connect = vi.spyOn(http.Agent.prototype, 'createConnection')
  const addresses = ['192.0.2.1', '127.0.0.1'].map(address => ({ address, family: 4 }))
  vi.spyOn(dns.promises, 'lookup').mockResolvedValue(addresses as never)
  await using node = await startFaultyNode(succeed)
  expect(await send(new URL(`http://node.test:${node.url.port}`))).toBe('yes')
  expect(begin.mock.calls.map(([, address]) => address)).toEqual(['192.0.2.1', '127.0.0.1'])
  // A third of an attempt, which the second address needs too.
  expect(connect.mock.calls).toMatchObject([[{ autoSelectFamilyAttemptTimeout: 500 }, expect.anything()]])
})
