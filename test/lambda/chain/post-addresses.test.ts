import dns from 'node:dns'
import http from 'node:http'
import { afterEach, expect, test, vi } from 'vitest'
import { post } from '../../../lambda/chain/post.ts'
import { Fault } from '../../../lambda/faults.ts'
import { addressMs } from '../../../lambda/timing.ts'
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
  const connect = vi.spyOn(http.Agent.prototype, 'createConnection')
  await using node = await startFaultyNode(succeed)
  expect(await send(new URL(`http://node.test:${node.url.port}`))).toBe('yes')
  // An address that never connects leaves time for the next one.
  expect(connect.mock.calls).toMatchObject([[{ autoSelectFamilyAttemptTimeout: addressMs }, expect.anything()]])
})
