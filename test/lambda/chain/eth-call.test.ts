import type http from 'node:http'
import { expect, test } from 'vitest'
import { ethCall } from '../../../lambda/chain/eth-call.ts'
import { Fault } from '../../../lambda/faults.ts'
import { type Respond, rpcError, startFaultyNode, status, toReply } from '../../support/chain/faulty-node.ts'

const ask = (url: URL) => ethCall(url, '0x3408e470', 'latest', new AbortController().signal)
/** Responds with a result in mixed case. */
const correct: Respond = (response, body) => response.end(toReply(body, '0xABcd'))

test('one eth_call is one POST of JSON-RPC 2.0', async () => {
  let request: http.IncomingMessage | undefined
  await using node = await startFaultyNode((response, body) => {
    request = response.req
    correct(response, body)
  })
  expect(await ask(node.url)).toBe('0xabcd')
  expect(node.requests.map(text => JSON.parse(text))).toEqual([
    {
      jsonrpc: '2.0',
      id: expect.any(Number),
      method: 'eth_call',
      params: [{ data: '0x3408e470' }, 'latest'],
    },
  ])
  expect(request).toMatchObject({
    method: 'POST',
    headers: {
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'content-type': 'application/json',
      'content-length': String(node.requests[0]?.length),
      'user-agent': 'price-lookup',
    },
  })
})

test('every request has a random id of 31 bits (D23)', async () => {
  await using node = await startFaultyNode(correct)
  for (let calls = 0; calls < 20; calls += 1) await ask(node.url)
  const ids = node.requests.map(text => Number(JSON.parse(text).id))
  expect(new Set(ids).size).toBe(20)
  // Of 20 random numbers below 2^31, one is above 2^24. A counter would not get there.
  expect(Math.max(...ids)).toBeGreaterThan(2 ** 24)
  // Some proxies keep 32 bits.
  for (const id of ids) expect(id | 0).toBe(id)
})

test.each<[string, Respond, Fault]>([
  ['an error with the largest code', rpcError(-99_999), new Fault('rpc-error', { rpcCode: -99_999 })],
  ['an error with a larger code', rpcError(100_000), new Fault('rpc-error')],
  ['an error whose code is a fraction', rpcError(1.5), new Fault('rpc-error')],
  ['an error whose code is a text', rpcError('-32005'), new Fault('rpc-error')],
  ['an error without a code', status(200, '{"error":"rate limit exceeded"}'), new Fault('rpc-error')],
])('the fault of %s has its code, if that reveals nothing (D25)', async (_, respond, fault) => {
  await using node = await startFaultyNode(respond)
  await expect(ask(node.url)).rejects.toEqual(fault)
})

test.each([429, -32_005, -32_007, -32_012, -32_016, -32_029, -32_605])(
  'the JSON-RPC code %i is a rate limit, within an envelope or bare',
  async code => {
    for (const respond of [rpcError(code), status(200, JSON.stringify({ code, message: 'no' }))]) {
      await using node = await startFaultyNode(respond)
      await expect(ask(node.url)).rejects.toEqual(new Fault('rate-limited', { rpcCode: code }))
    }
  },
)
