import type http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type EthCall, ethCall } from '../../lambda/chain/eth-call.ts'
import { Fault } from '../../lambda/chain/fault.ts'
import type { FaultKind } from '../../lambda/problems.ts'
import { startSickNode, toReply } from './sick-node.ts'

const call: EthCall = { to: '0xcA11bde05977b3631167028862bE2a173976CA11', data: '0x3408e470', block: 'latest' }

const ask = (url: URL, timeoutMs = 2_000) =>
  ethCall(url, call, { signal: AbortSignal.timeout(timeoutMs), maxBytes: 1_000 })

test('one eth_call is one POST of JSON-RPC 2.0, and its result comes in lower case', async () => {
  await using node = await startSickNode((response, body) => response.end(toReply(body, '0xABcd')))
  expect(await ask(node.url)).toBe('0xabcd')
  expect(node.requests.map(text => JSON.parse(text))).toEqual([
    {
      jsonrpc: '2.0',
      id: expect.any(Number),
      method: 'eth_call',
      params: [{ to: call.to, data: call.data }, 'latest'],
    },
  ])
})

test('every request has an id of its own', async () => {
  await using node = await startSickNode((response, body) => response.end(toReply(body, '0x')))
  await ask(node.url)
  await ask(node.url)
  expect(new Set(node.requests.map(text => JSON.parse(text).id)).size).toBe(2)
})

test('a result with an error of null is a result', async () => {
  await using node = await startSickNode((response, body) =>
    response.end(JSON.stringify({ ...JSON.parse(toReply(body, '0x12')), error: null })),
  )
  expect(await ask(node.url)).toBe('0x12')
})

type Answer = (response: http.ServerResponse, body: string) => void
const text =
  (body: string, status = 200): Answer =>
  response =>
    response.writeHead(status).end(body)
const envelope =
  (change: object): Answer =>
  (response, body) =>
    response.end(JSON.stringify({ ...JSON.parse(toReply(body, '0x12')), ...change }))

test.each<[string, FaultKind, Answer]>([
  ['401', 'unauthorized', text('no', 401)],
  ['403', 'unauthorized', text('error code: 1010', 403)],
  ['429', 'rate-limited', text('<html>slow down</html>', 429)],
  ['502', 'http-status', text('<html>bad gateway</html>', 502)],
  ['204', 'http-status', text('', 204)],
  ['an empty body', 'malformed-envelope', text('')],
  ['HTML', 'malformed-envelope', text('<html>')],
  ['null', 'malformed-envelope', text('null')],
  ['a number', 'malformed-envelope', text('42')],
  ['an array', 'malformed-envelope', text('[]')],
  ['an empty object', 'malformed-envelope', text('{}')],
  ['20,000 levels', 'oversized', text('['.repeat(20_000))],
  ['another id', 'malformed-envelope', envelope({ id: -1 })],
  ['a string for an id', 'malformed-envelope', envelope({ id: '1' })],
  ['no version', 'malformed-envelope', envelope({ jsonrpc: undefined })],
  ['another version', 'malformed-envelope', envelope({ jsonrpc: '1.0' })],
  ['hexadecimal after something else', 'malformed-result', envelope({ result: 'zz0x12' })],
  ['no result', 'malformed-envelope', envelope({ result: undefined })],
  ['an error', 'rpc-error', envelope({ result: undefined, error: { code: -32_000, message: 'header not found' } })],
  ['an error and a result', 'rpc-error', envelope({ error: { code: 3, data: '0xe3f18fa8' } })],
  ['a bare error', 'rpc-error', text('{"error":"rate limit exceeded"}')],
  ['a null result', 'malformed-result', envelope({ result: null })],
  ['a number for a result', 'malformed-result', envelope({ result: 42 })],
  ['half a byte', 'malformed-result', envelope({ result: '0x123' })],
  ['no hexadecimal', 'malformed-result', envelope({ result: '0xzz' })],
  ['two megabytes', 'oversized', text(`"${'x'.repeat(2_000_000)}"`)],
  ['a dropped connection', 'unreachable', response => response.destroy()],
  [
    'a broken body',
    'unreachable',
    response => response.writeHead(200, { 'Content-Length': 9 }).end('{', () => response.destroy()),
  ],
])('%s is the fault %s', async (_, kind, answer) => {
  await using node = await startSickNode(answer)
  await expect(ask(node.url)).rejects.toEqual(new Fault(kind))
})

test.each<[string, Answer]>([
  ['headers that never come', () => {}],
  ['a body that stalls', response => response.writeHead(200).write('{')],
  [
    'a byte per 20 ms',
    async response => {
      while (!response.destroyed) {
        response.write(' ')
        await sleep(20)
      }
    },
  ],
])('%s: the fault timeout', async (_, answer) => {
  await using node = await startSickNode(answer)
  await expect(ask(node.url, 150)).rejects.toEqual(new Fault('timeout'))
})

test('a redirect is not followed', async () => {
  await using elsewhere = await startSickNode((response, body) => response.end(toReply(body, '0x12')))
  await using node = await startSickNode(response => {
    response.writeHead(307, { Location: elsewhere.url.href }).end()
  })
  await expect(ask(node.url)).rejects.toEqual(new Fault('http-status'))
  expect(elsewhere.requests).toEqual([])
})

test('nobody there: the fault unreachable', async () => {
  const node = await startSickNode(() => {})
  await node[Symbol.asyncDispose]()
  await expect(ask(node.url)).rejects.toEqual(new Fault('unreachable'))
})

test('a fault holds its kind alone: no URL, no word of the node (D25)', async () => {
  await using node = await startSickNode(text('{"error":{"message":"Post https://node/SECRET/: dial tcp"}}', 200))
  const error = await ask(node.url).catch((fault: Error) => fault)
  expect(error).toBeInstanceOf(Fault)
  const said = `${String(error)} ${(error as Error).stack} ${JSON.stringify(error)} ${String((error as Error).cause)}`
  for (const secret of ['KEY', 'SECRET', 'dial tcp', node.url.port]) expect(said).not.toContain(secret)
})

test('a body of exactly the bound is read, and one byte more is not', async () => {
  const padded = (body: string, bytes: number) => toReply(body, '0x12').padEnd(bytes, ' ')
  await using full = await startSickNode((response, body) => response.end(padded(body, 1_000)))
  expect(await ask(full.url)).toBe('0x12')
  await using over = await startSickNode((response, body) => response.end(padded(body, 1_001)))
  await expect(ask(over.url)).rejects.toEqual(new Fault('oversized'))
})

test('a node is told who asks, and how long and of what kind the question is', async () => {
  let headers: http.IncomingHttpHeaders = {}
  await using node = await startSickNode((response, body) => {
    headers = response.req.headers
    response.end(toReply(body, '0x12'))
  })
  await ask(node.url)
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'content-length': String(node.requests[0]?.length),
    'user-agent': 'price-lookup',
  })
})
