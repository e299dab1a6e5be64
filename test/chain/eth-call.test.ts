import type http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ethCall } from '../../lambda/chain/eth-call.ts'
import { Fault } from '../../lambda/faults.ts'
import { type Respond, rpcError, silence, startFaultyNode, status, toReply } from './faulty-node.ts'

const ask = (url: URL, timeoutMs = 2_000) => ethCall(url, '0x3408e470', 'latest', AbortSignal.timeout(timeoutMs))
/** Answers with a result in mixed case. */
const answer: Respond = (response, body) => response.end(toReply(body, '0xABcd'))

test('one eth_call is one POST of JSON-RPC 2.0, and its result is returned in lower case', async () => {
  await using node = await startFaultyNode(answer)
  expect(await ask(node.url)).toBe('0xabcd')
  expect(node.requests.map(text => JSON.parse(text))).toEqual([
    {
      jsonrpc: '2.0',
      id: expect.any(Number),
      method: 'eth_call',
      params: [{ data: '0x3408e470' }, 'latest'],
    },
  ])
})

test('every request has a random id (D23)', async () => {
  await using node = await startFaultyNode(answer)
  for (let calls = 0; calls < 20; calls += 1) await ask(node.url)
  const ids = node.requests.map(text => Number(JSON.parse(text).id))
  expect(new Set(ids).size).toBe(20)
  // Of 20 random numbers below 2^47, one is above 2^40. A counter would not get there.
  expect(Math.max(...ids)).toBeGreaterThan(2 ** 40)
  for (const id of ids) expect(Number.isSafeInteger(id)).toBe(true)
})

const envelope =
  (change: object): Respond =>
  (response, body) =>
    response.end(JSON.stringify({ ...JSON.parse(toReply(body, '0x12')), ...change }))

test.each([{ error: null }, { code: -32_005 }])('a result beside %j is a result', async change => {
  await using node = await startFaultyNode(envelope(change))
  expect(await ask(node.url)).toBe('0x12')
})

test.each<[string, Fault, Respond]>([
  ['401', new Fault('unauthorized', { httpStatus: 401 }), status(401, 'no')],
  ['403', new Fault('unauthorized', { httpStatus: 403 }), status(403, 'error code: 1010')],
  ['429', new Fault('rate-limited', { httpStatus: 429 }), status(429, '<html>slow down</html>')],
  ['502', new Fault('http-status', { httpStatus: 502 }), status(502, '<html>bad gateway</html>')],
  ['204', new Fault('http-status', { httpStatus: 204 }), status(204, '')],
  ['an empty body', new Fault('malformed-envelope'), status(200, '')],
  ['HTML', new Fault('malformed-envelope'), status(200, '<html>')],
  ['null', new Fault('malformed-envelope'), status(200, 'null')],
  ['a number', new Fault('malformed-envelope'), status(200, '42')],
  ['an array', new Fault('malformed-envelope'), status(200, '[]')],
  ['an empty object', new Fault('malformed-envelope'), status(200, '{}')],
  ['another id', new Fault('malformed-envelope'), envelope({ id: -1 })],
  ['an id that is a string', new Fault('malformed-envelope'), envelope({ id: '1' })],
  ['no version', new Fault('malformed-envelope'), envelope({ jsonrpc: undefined })],
  ['another version', new Fault('malformed-envelope'), envelope({ jsonrpc: '1.0' })],
  ['hexadecimal digits after other text', new Fault('malformed-result'), envelope({ result: 'zz0x12' })],
  ['no result', new Fault('malformed-envelope'), envelope({ result: undefined })],
  ['an error', new Fault('rpc-error', { rpcCode: -32_000 }), rpcError(-32_000)],
  ['an error and a result', new Fault('rpc-error', { rpcCode: 3 }), envelope({ error: { code: 3 } })],
  ['a bare error', new Fault('rpc-error'), status(200, '{"error":"rate limit exceeded"}')],
  ['an error whose code is a string', new Fault('rpc-error'), rpcError('-32005')],
  ['an error with a huge code', new Fault('rpc-error'), rpcError(100_000)],
  ['an error with the largest code', new Fault('rpc-error', { rpcCode: -99_999 }), rpcError(-99_999)],
  ['an error whose code is a fraction', new Fault('rpc-error'), rpcError(1.5)],
  ['a bare code of another kind', new Fault('malformed-envelope'), status(200, '{"code":-32000}')],
  ['a null result', new Fault('malformed-result'), envelope({ result: null })],
  ['a number for a result', new Fault('malformed-result'), envelope({ result: 42 })],
  ['an odd number of digits', new Fault('malformed-result'), envelope({ result: '0x123' })],
  ['digits that are not hexadecimal', new Fault('malformed-result'), envelope({ result: '0xzz' })],
  ['a dropped connection', new Fault('unreachable'), response => response.destroy()],
  [
    'a broken body',
    new Fault('unreachable'),
    response => response.writeHead(200, { 'Content-Length': 9 }).end('{', () => response.destroy()),
  ],
])('a reply with %s is a fault', async (_, fault, answer) => {
  await using node = await startFaultyNode(answer)
  await expect(ask(node.url)).rejects.toEqual(fault)
})

test.each([429, -32_005, -32_007, -32_016, -32_029, -32_605])(
  'the JSON-RPC code %i is a rate limit, within an envelope or bare',
  async code => {
    for (const answer of [rpcError(code), status(200, JSON.stringify({ code, message: 'no' }))]) {
      await using node = await startFaultyNode(answer)
      await expect(ask(node.url)).rejects.toEqual(new Fault('rate-limited', { rpcCode: code }))
    }
  },
)

test.each<[string, Respond]>([
  ['headers that never arrive', silence],
  ['bodies that stall', response => response.writeHead(200).write('{')],
  [
    'bytes that arrive every 20 ms',
    async response => {
      while (!response.destroyed) {
        response.write(' ')
        await sleep(20)
      }
    },
  ],
])('%s are the fault timeout', async (_, answer) => {
  await using node = await startFaultyNode(answer)
  await expect(ask(node.url, 150)).rejects.toEqual(new Fault('timeout'))
})

test('a redirect is not followed', async () => {
  await using elsewhere = await startFaultyNode(answer)
  await using node = await startFaultyNode(response => {
    response.writeHead(307, { Location: elsewhere.url.href }).end()
  })
  await expect(ask(node.url)).rejects.toEqual(new Fault('http-status', { httpStatus: 307 }))
  expect(elsewhere.requests).toEqual([])
})

test('a port at which no server listens is the fault unreachable', async () => {
  const node = await startFaultyNode(silence)
  await node.stop()
  await expect(ask(node.url)).rejects.toEqual(new Fault('unreachable'))
})

test('a fault holds no URL and no text of the node (D25)', async () => {
  await using node = await startFaultyNode(status(200, '{"error":{"message":"Post https://node/SECRET/: dial tcp"}}'))
  const error = await ask(node.url).catch((fault: Error) => fault)
  expect(error).toBeInstanceOf(Fault)
  const texts = `${String(error)} ${(error as Error).stack} ${JSON.stringify(error)} ${String((error as Error).cause)}`
  for (const secret of ['KEY', 'SECRET', 'dial tcp', node.url.port]) expect(texts).not.toContain(secret)
})

test('a body of 64 KiB is read, and one byte more is the fault oversized (D23)', async () => {
  let bytes = 65_536
  await using node = await startFaultyNode((response, body) => {
    response.end(toReply(body, `0x${'0'.repeat(65_000)}`).padEnd(bytes, ' '))
  })
  expect((await ask(node.url)).length).toBe(65_002)
  bytes += 1
  await expect(ask(node.url)).rejects.toEqual(new Fault('oversized'))
})

test('eight interim responses are read, and one more is the fault oversized', async () => {
  let interim = 8
  await using node = await startFaultyNode((response, body) => {
    for (let count = 0; count < interim; count += 1) response.writeProcessing()
    answer(response, body)
  })
  expect(await ask(node.url)).toBe('0xabcd')
  interim += 1
  await expect(ask(node.url)).rejects.toEqual(new Fault('oversized'))
})

test('a request names its client, its length and its media type', async () => {
  let headers: http.IncomingHttpHeaders = {}
  await using node = await startFaultyNode((response, body) => {
    headers = response.req.headers
    answer(response, body)
  })
  await ask(node.url)
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'content-length': String(node.requests[0]?.length),
    'user-agent': 'price-lookup',
  })
})
