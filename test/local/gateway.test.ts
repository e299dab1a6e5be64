import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import type { APIGatewayProxyEvent } from 'aws-lambda'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../local/gateway.ts'
import type { LogLine } from '../../local/log.ts'
import { createFunctions } from '../../local/runtime.ts'
import { readTemplate } from '../../local/template.ts'
import { expectDocumented } from '../contract/documented.ts'
import { type Change, changeSettings, type SynthesisedStack, synthesiseStack } from './stack-copy.ts'

/** Returns the event and the number of invocations. */
const echo = `let served = 0
export const handler = async event => ({
  statusCode: 200,
  headers: { 'Content-Type': 'application/json', 'X-Number': 1 },
  multiValueHeaders: { 'X-Several': ['a', 'b'] },
  body: JSON.stringify({ served: ++served, event }),
})`

/** Returns or fails in the way that the symbol names. */
const faulty = `const ways = {
  throw: () => { throw new Error('thrown') },
  exit: () => process.exit(1),
  hang: () => new Promise(() => {}),
  text: () => 'rubbish',
  nothing: () => undefined,
  list: () => [],
  object: () => ({ statusCode: 200, body: {} }),
  extra: () => ({ statusCode: 200, body: '', message: 'x' }),
  status: () => ({ statusCode: 99, body: '' }),
  switching: () => ({ statusCode: 101, body: '' }),
  header: () => ({ statusCode: 200, headers: { 'X-A': 'a\\r\\nX-B: b' }, body: '' }),
  name: () => ({ statusCode: 200, headers: { 'X A': 'a' }, body: '' }),
  flag: () => ({ statusCode: 200, isBase64Encoded: 'yes', body: '' }),
  unavailable: () => ({ statusCode: 503, headers: { Date: 'never', 'Content-Length': 3 }, body: 'in vain' }),
  bare: () => ({ statusCode: 200, body: '{}' }),
  large: () => ({ statusCode: 200, body: 'x'.repeat(1048577) }),
}
let served = 0
export const handler = async ({ pathParameters: { symbol } }) => {
  const response = ways[symbol]()
  return response && symbol !== 'extra' && response.statusCode ? { ...response, headers: { ...response.headers, Served: ++served } } : response
}`

const internal = { type: 'urn:problem-type:price-lookup:internal', title: 'Internal error' }
const unknownRoute = {
  type: 'urn:problem-type:price-lookup:unknown-route',
  title: 'Unknown route',
  status: 404,
  detail: 'Prices are at GET /price and GET /price/{SYMBOL}; GET /openapi.json describes the whole API.',
}

let stack: SynthesisedStack
const stops: (() => Promise<void>)[] = []
let lines: LogLine[] = []
let nowMs = 0

beforeAll(async () => {
  stack = await synthesiseStack()
}, 60_000)

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

afterAll(() => stack.remove())

async function start(changes: readonly Change[] = [], { getPrice = echo, host = '127.0.0.1' } = {}): Promise<Gateway> {
  const template = await readTemplate(await stack.copy(changes, { GetPrice: getPrice, ListPrices: echo }))
  lines = []
  const log = (line: LogLine) => lines.push(line)
  const functions = createFunctions({ functions: template.functions, log })
  const gateway = await startGateway({ template, functions, host, port: 0, log, nowMs: () => nowMs })
  stops.push(gateway.stop, functions.stop)
  return gateway
}

async function get(url: string, init?: RequestInit) {
  const response = await fetch(url, init)
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, cache: response.headers.get('x-local-cache') }
}

async function echoed(url: string, init?: RequestInit) {
  const { text, cache } = await get(url, init)
  const { served, event }: { served: number; event: APIGatewayProxyEvent } = JSON.parse(text)
  return { served, event, cache }
}

/** Sends bytes as they are, and returns everything that is received. */
async function sendRaw({ origin }: Gateway, request: string): Promise<string> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  socket.write(request)
  if (!request.includes('Connection: close')) socket.end()
  let answer = ''
  socket.on('data', chunk => {
    answer += chunk
  })
  await once(socket, 'close')
  return answer
}

function expectProblem(answer: Awaited<ReturnType<typeof get>>, problem: { status: number }, path = '/price/CRWD') {
  const { status, headers, text } = answer
  expect({ status, problem: JSON.parse(text) }).toEqual({ status: problem.status, problem })
  expect(headers.get('content-type')).toBe('application/problem+json')
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(headers.get('cache-control')).toBe('no-store')
  expectDocumented({ ...answer, method: 'GET', path })
}

test('a function receives the complete event of a REST API', async () => {
  const { origin, baseUrl } = await start()
  const { event } = await echoed(`${baseUrl}/price/a%2Fb?network=mainnet&network=testnet&x=%C3%A9+1&y`, {
    headers: { 'User-Agent': 'test', 'X-One': '1' },
  })
  const { requestContext, headers, multiValueHeaders, ...rest } = event
  expect(rest).toEqual({
    resource: '/price/{symbol}',
    path: '/price/a%2Fb',
    httpMethod: 'GET',
    queryStringParameters: { network: 'testnet', x: 'é 1', y: '' },
    multiValueQueryStringParameters: { network: ['mainnet', 'testnet'], x: ['é 1'], y: [''] },
    pathParameters: { symbol: 'a%2Fb' },
    stageVariables: null,
    body: null,
    isBase64Encoded: false,
  })
  expect(headers).toMatchObject({ 'User-Agent': 'test', 'X-One': '1' })
  expect(multiValueHeaders).toMatchObject({ 'User-Agent': ['test'], 'X-One': ['1'] })
  expect(requestContext).toEqual({
    accountId: '000000000000',
    apiId: expect.stringMatching(/^Api/),
    resourceId: expect.stringMatching(/^Apipricesymbol/),
    resourcePath: '/price/{symbol}',
    httpMethod: 'GET',
    path: '/v1/price/a%2Fb',
    stage: 'v1',
    domainName: origin.slice('http://'.length),
    domainPrefix: '127',
    protocol: 'HTTP/1.1',
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    extendedRequestId: expect.any(String),
    requestTime: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
    requestTimeEpoch: expect.any(Number),
    identity: {
      accessKey: null,
      accountId: null,
      apiKey: null,
      apiKeyId: null,
      caller: null,
      clientCert: null,
      cognitoAuthenticationProvider: null,
      cognitoAuthenticationType: null,
      cognitoIdentityId: null,
      cognitoIdentityPoolId: null,
      principalOrgId: null,
      sourceIp: '127.0.0.1',
      user: null,
      userAgent: 'test',
      userArn: null,
    },
  })
})

test('maps without an entry are null, and one slash at the end is ignored', async () => {
  const { baseUrl } = await start([changeSettings('GET /price', 'CachingEnabled', false)])
  for (const path of ['/price', '/price/', '/price?', '/price/?&']) {
    const { event } = await echoed(baseUrl + path)
    expect(event).toMatchObject({
      resource: '/price',
      path: path.split('?')[0],
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      pathParameters: null,
    })
    expect(event.requestContext.path).toBe(`/v1${path.split('?')[0]}`)
  }
})

test('path parameters are passed as sent, and an invalid encoding of the query stays as sent', async () => {
  const { baseUrl } = await start()
  for (const symbol of [
    '%20',
    '%',
    '%zz',
    'CRWD%00',
    '..%2f',
    'price',
    '{symbol}'.replace(/[{}]/g, encodeURIComponent),
  ]) {
    const { event } = await echoed(`${baseUrl}/price/${symbol}?network=%zz&%=%&a=%ff`)
    expect(event.pathParameters).toEqual({ symbol })
    expect(event.queryStringParameters).toEqual({ network: '%zz', '%': '%', a: '\ufffd' })
  }
})

test('neither Host nor forwarded headers change the domain name', async () => {
  const gateway = await start()
  const answer = await sendRaw(
    gateway,
    [
      'GET /v1/price HTTP/1.1',
      'Host: evil.example',
      'X-Forwarded-Host: evil.example',
      'X-Forwarded-For: 6.6.6.6',
      'Forwarded: host=evil.example',
      'Connection: close',
      '',
      '',
    ].join('\r\n'),
  )
  const { event } = JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1))
  expect(event.headers.Host).toBe('evil.example')
  expect(`http://${event.requestContext.domainName}`).toBe(gateway.origin)
  expect(event.requestContext.identity.sourceIp).toBe('127.0.0.1')
})

test('a gateway at a wildcard address has the domain name localhost', async () => {
  const { origin, baseUrl } = await start([], { host: '0.0.0.0' })
  expect(origin).toMatch(/^http:\/\/localhost:\d+$/)
  const port = new URL(origin).port
  const { event } = await echoed(`${baseUrl.replace('localhost', '127.0.0.1')}/price`)
  expect(event.requestContext.domainName).toBe(`localhost:${port}`)
})

test.for([
  ['GET', '/?network=testnet'],
  ['GET', '/price'],
  ['GET', '/v1//'],
  ['GET', '/v1x/price'],
  ['GET', '/V1/price'],
  ['GET', '/v1/prices'],
  ['GET', '/v1/openapi'],
  ['GET', '/openapi.json'],
  ['GET', '/docs'],
  ['GET', '/v1/%70rice'],
  ['GET', '/v1//price'],
  ['GET', '/v1/price//'],
  ['GET', '/v1/price/a/b'],
  ['POST', '/v1/price'],
  ['HEAD', '/v1/prices'],
  ['POST', '/v1'],
  ['DELETE', '/v1/price/CRWD'],
] as const)('%s %s is an unknown route', async ([method, path]) => {
  const { origin } = await start()
  const answer = await get(origin + path, { method })
  if (method === 'HEAD') expect({ ...answer, headers: undefined }).toMatchObject({ status: 404, text: '' })
  else expectProblem(answer, unknownRoute, '/nowhere')
  expectDocumented({ ...answer, method, path: '/nowhere' })
})

test('an invalid request target is an error, and the gateway continues', async () => {
  const gateway = await start()
  for (const line of [
    'GET http://evil.example/v1/price',
    'OPTIONS *',
    'GET /v1/price\u00a0',
    'GET //v1/price',
    'GET ?',
  ]) {
    const answer = await sendRaw(gateway, `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 40[04] /)
  }
  for (const bytes of ['CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\n\r\n', '\0\0\0\0\r\n\r\n', 'GET ']) {
    await sendRaw(gateway, bytes)
  }
  expect((await get(`${gateway.baseUrl}/price`)).status).toBe(200)
})

test('the real bundle runs: an unknown symbol is its problem', async () => {
  const template = await readTemplate(stack.path)
  const functions = createFunctions({ functions: template.functions })
  const gateway = await startGateway({ template, functions, host: '127.0.0.1', port: 0 })
  stops.push(gateway.stop, functions.stop)
  const answer = await get(`${gateway.baseUrl}/price/NOPE`)
  expectProblem(answer, {
    ...{ type: 'urn:problem-type:price-lookup:unknown-symbol', title: 'Unknown symbol' },
    status: 404,
    ...{ detail: expect.any(String) },
  })
  expect(answer.cache).toBe('miss')
})

test.for([
  ['', 'text/html; charset=utf-8', /^<!doctype html>/],
  ['/', 'text/html; charset=utf-8', /^<!doctype html>/],
  ['/docs', 'text/html; charset=utf-8', /^<!doctype html>.*API reference</s],
  ['/openapi.json', 'application/json', /^\{"openapi":/],
  ['/openapi.json/', 'application/json', /^\{"openapi":/],
] as const)(
  'GET %j is a document of the template, without a function, and HEAD its headers (D26)',
  async ([path, type, beginning]) => {
    const { baseUrl } = await start()
    const { headers, ...answer } = await get(baseUrl + path)
    expectDocumented({ ...answer, headers, method: 'GET', path })
    expect(answer).toEqual({ status: 200, text: expect.stringMatching(beginning), cache: null })
    expect(headers.get('content-type')).toBe(type)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    const head = await get(baseUrl + path, { method: 'HEAD' })
    expectDocumented({ ...head, method: 'HEAD', path })
  },
)

test('HEAD of a price is neither answered from the stage cache nor kept in it, and reads no chain (D8b)', async () => {
  const template = await readTemplate(stack.path)
  const functions = createFunctions({ functions: template.functions })
  const gateway = await startGateway({ template, functions, host: '127.0.0.1', port: 0 })
  stops.push(gateway.stop, functions.stop)
  for (const [path, status] of [
    ['/price', 200],
    ['/price/crwd?network=testnet', 404],
    ['/price/crwd', 200],
    ['/price?network=x', 400],
  ] as const) {
    for (const _ of ['first', 'second']) {
      const answer = await get(gateway.baseUrl + path, { method: 'HEAD' })
      expectDocumented({ ...answer, method: 'HEAD', path })
      expect({ ...answer, headers: undefined }).toEqual({ status, text: '', cache: null, headers: undefined })
    }
  }
})

test.for(['/price/CRWD', '', '/docs', '/openapi.json'])(
  'a preflight of %j is a response of the template, without a function',
  async path => {
    const { baseUrl } = await start()
    const { status, text, headers } = await get(baseUrl + path, { method: 'OPTIONS' })
    expectDocumented({ status, text, headers, method: 'OPTIONS', path })
    expect({ status, text }).toEqual({ status: 204, text: '' })
    expect(Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control')))).toEqual({
      'access-control-allow-headers': '*',
      'access-control-allow-methods': 'GET',
      'access-control-allow-origin': '*',
      'access-control-max-age': '600',
    })
  },
)

test.for([
  ['OPTIONS', '/price'],
  ['OPTIONS', '/price/CRWD'],
  ['OPTIONS', ''],
  ['OPTIONS', '/docs'],
  ['OPTIONS', '/openapi.json'],
  ['GET', ''],
  ['GET', '/docs'],
  ['GET', '/openapi.json'],
] as const)('%s %j with a content type other than JSON is 415, not a failure (D26)', async ([method, path]) => {
  const { baseUrl } = await start()
  for (const type of ['text/plain', 'application/x-www-form-urlencoded; charset=utf-8', 'application/*', 'x']) {
    const { status, text, headers } = await get(baseUrl + path, { method, headers: { 'Content-Type': type } })
    expectDocumented({ status, text, headers, method, path })
    expect({ status, text: JSON.parse(text) }).toMatchObject({
      status: 415,
      text: { type: 'about:blank', status: 415 },
    })
  }
  for (const type of ['application/json', 'Application/JSON; charset=utf-8', '']) {
    const { status } = await get(baseUrl + path, { method, headers: { 'Content-Type': type } })
    expect(status).toBe(method === 'GET' ? 200 : 204)
  }
})

test.for([
  [undefined, 500],
  ['WHEN_NO_MATCH', 500],
  ['WHEN_NO_TEMPLATES', 415],
  ['NEVER', 415],
] as const)(
  'with PassthroughBehavior %s, a MOCK returns %i for a content type without a template',
  async ([behavior, status]) => {
    const { baseUrl } = await start([['Api/Default/price/OPTIONS', 'Integration PassthroughBehavior', behavior]])
    const answer = await get(`${baseUrl}/price`, { method: 'OPTIONS', headers: { 'Content-Type': 'text/plain' } })
    expect(answer.status).toBe(status)
    expectDocumented({ ...answer, method: 'OPTIONS', path: '/price' })
    expect((await get(`${baseUrl}/price`, { method: 'OPTIONS' })).status).toBe(204)
  },
)

test('a MOCK without request templates fails every request, with NEVER as 415', async () => {
  const { baseUrl } = await start([
    ['Api/Default/price/OPTIONS', 'Integration RequestTemplates', {}],
    ['Api/Default/price/OPTIONS', 'Integration PassthroughBehavior', 'WHEN_NO_TEMPLATES'],
    ['Api/Default/price/{symbol}/OPTIONS', 'Integration RequestTemplates', {}],
    ['Api/Default/price/{symbol}/OPTIONS', 'Integration PassthroughBehavior', 'NEVER'],
  ])
  expect((await get(`${baseUrl}/price`, { method: 'OPTIONS' })).status).toBe(500)
  expect((await get(`${baseUrl}/price/CRWD`, { method: 'OPTIONS' })).status).toBe(415)
})

test('a response is cached completely, for its TTL', async () => {
  const { baseUrl } = await start()
  const first = await get(`${baseUrl}/price/CRWD`)
  const second = await get(`${baseUrl}/price/CRWD`)
  expect([first.cache, second.cache]).toEqual(['miss', 'hit'])
  expect(second.text).toBe(first.text)
  expect(second.headers.get('x-several')).toBe('a, b')
  expect(second.headers.get('x-number')).toBe('1')
  expect(second.headers.get('x-amzn-requestid')).not.toBe(first.headers.get('x-amzn-requestid'))
  nowMs += 9_999
  expect(await get(`${baseUrl}/price/CRWD`)).toMatchObject({ text: first.text, cache: 'hit' })
  nowMs += 1
  expect(await echoed(`${baseUrl}/price/CRWD`)).toMatchObject({ served: 2, cache: 'miss' })
})

test('the cache key has the symbol and the network, an empty one too, and nothing else', async () => {
  const { baseUrl } = await start()
  const cacheOf = async (path: string, init?: RequestInit) => (await get(baseUrl + path, init)).cache
  expect(await cacheOf('/price/CRWD')).toBe('miss')
  expect(await cacheOf('/price/crwd')).toBe('miss')
  expect(await cacheOf('/price/CRWD?network=')).toBe('miss')
  expect(await cacheOf('/price/CRWD?network=testnet')).toBe('miss')
  expect(await cacheOf('/price/CRWD?network=mainnet&network=testnet')).toBe('hit')
  expect(
    await cacheOf('/price/CRWD/?other=1', { headers: { Accept: 'text/html', 'Cache-Control': 'max-age=0' } }),
  ).toBe('hit')
  expect(await cacheOf('/price?network=testnet')).toBe('miss')
  expect(await cacheOf('/price/testnet')).toBe('miss')
})

test('without the network in the cache key of the template, the networks are mixed', async () => {
  const { baseUrl } = await start([
    ['Api/Default/price/{symbol}/GET', 'Integration CacheKeyParameters', ['method.request.path.symbol']],
  ])
  await echoed(`${baseUrl}/price/CRWD`)
  const { event, cache } = await echoed(`${baseUrl}/price/CRWD?network=testnet`)
  expect({ query: event.queryStringParameters, cache }).toEqual({ query: null, cache: 'hit' })
})

test.for<[what: string, change: Change]>([
  ['without a cache cluster', ['Api/DeploymentStage.v1', 'CacheClusterEnabled', false]],
  ['with caching off', changeSettings('GET /price', 'CachingEnabled', false)],
])('%s nothing is cached', async ([, change]) => {
  const { baseUrl } = await start([change])
  expect(await echoed(`${baseUrl}/price`)).toMatchObject({ served: 1, cache: null })
  expect(await echoed(`${baseUrl}/price`)).toMatchObject({ served: 2, cache: null })
})

test('a response of a function is cached at any status, a gateway response is not', async () => {
  const { baseUrl } = await start([], { getPrice: faulty })
  const first = await get(`${baseUrl}/price/unavailable`)
  const second = await get(`${baseUrl}/price/unavailable`)
  expect([first, second].map(({ status, cache, text }) => ({ status, cache, text }))).toEqual([
    { status: 503, cache: 'miss', text: 'in vain' },
    { status: 503, cache: 'hit', text: 'in vain' },
  ])
  expect(second.headers.get('x-amzn-remapped-date')).toBe('never')
  expect(second.headers.get('content-length')).toBe('7')
  for (const symbol of ['throw', 'throw', 'large', 'large']) {
    expect((await get(`${baseUrl}/price/${symbol}`)).cache).toBe('miss')
  }
})

test('a response without a content type is JSON', async () => {
  const { baseUrl } = await start([], { getPrice: faulty })
  const { headers, text } = await get(`${baseUrl}/price/bare`)
  expect([headers.get('content-type'), text]).toEqual(['application/json', '{}'])
})

test.for([
  'throw',
  'exit',
  'text',
  'nothing',
  'list',
  'object',
  'extra',
  'status',
  'switching',
  'header',
  'name',
  'flag',
])('a result that is not a response (%s) is a 502 with a log line', async symbol => {
  const { baseUrl } = await start([], { getPrice: faulty })
  expectProblem(await get(`${baseUrl}/price/${symbol}`), {
    ...internal,
    status: 502,
    ...{ detail: 'Something went wrong on our side.' },
  })
  expect(lines).toMatchObject([{ level: 'error' }])
  expect((await get(`${baseUrl}/price/bare`)).status).toBe(200)
})

test('a timeout of the function is a 502, a timeout of the integration a 504', async () => {
  const detail = 'Something went wrong on our side.'
  const hanging = await start([['GetPrice', 'Timeout', 0.2]], { getPrice: faulty })
  expectProblem(await get(`${hanging.baseUrl}/price/hang`), { ...internal, status: 502, ...{ detail } })
  const slow = await start([['Api/Default/price/{symbol}/GET', 'Integration TimeoutInMillis', 200]], {
    getPrice: faulty,
  })
  expectProblem(await get(`${slow.baseUrl}/price/hang`), { ...internal, status: 504, ...{ detail } })
})

test('requests above the burst are 429 until time adds tokens, cache hits included, for each method by itself', async () => {
  const { baseUrl } = await start([changeSettings('GET /price', 'ThrottlingBurstLimit', 3)])
  const answers = await Promise.all(Array.from({ length: 5 }, () => get(`${baseUrl}/price`)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 429, 429])
  const throttled = await get(`${baseUrl}/price`)
  expectProblem(throttled, {
    ...{ type: 'urn:problem-type:price-lookup:too-many-requests', title: 'Too many requests' },
    status: 429,
    ...{ detail: 'Requests come faster than this service answers. Slow down.' },
  })
  expect(throttled.headers.get('retry-after')).toBe('1')
  nowMs += 50
  expect((await get(`${baseUrl}/price`)).status).toBe(200)
  expect((await get(`${baseUrl}/price/CRWD`)).status).toBe(200)
})

test('GET / of the host redirects to the stage', async () => {
  const { origin, baseUrl } = await start()
  const { status, headers } = await fetch(`${origin}/`, { redirect: 'manual' })
  expect([status, headers.get('location')]).toEqual([302, '/v1/'])
  expect((await fetch(`${origin}/`)).url).toBe(`${baseUrl}/`)
})

test('a response type that is not in the template has the default body and its own status', async () => {
  const { origin } = await start([['Api/MISSING_AUTHENTICATION_TOKEN', 'ResponseType', 'WAF_FILTERED']])
  const { status, text, headers } = await get(`${origin}/nowhere`)
  expectDocumented({ status, text, headers, method: 'GET', path: '/nowhere' })
  expect([status, JSON.parse(text)]).toEqual([403, expect.objectContaining({ type: 'about:blank' })])
})

test("a template without gateway responses has API Gateway's", async () => {
  const types = [...(await readTemplate(stack.path)).gatewayResponses.keys()]
  const { origin } = await start(types.map((type): Change => [`Api/${type}`, 'ResponseType', `UNUSED_${type}`]))
  const { status, text, headers } = await get(`${origin}/nowhere`)
  expect([status, text, headers.get('content-type')]).toEqual([
    403,
    '{"message":"Missing Authentication Token"}',
    'application/json',
  ])
})

const sendBody = (gateway: Gateway, target: string, body: string) =>
  sendRaw(
    gateway,
    `${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )

test('the body of a request is passed as text', async () => {
  const answer = await sendBody(await start(), 'GET /v1/price', 'é')
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  expect(answer).toContain('"body":"é","isBase64Encoded":false')
})

const mebibyte = 1_048_576

test.for<[what: string, target: string, body: string]>([
  ['a body above the limit of API Gateway, 10 MiB', 'POST /v1/price', 'x'.repeat(10 * mebibyte + 1)],
  ['a body above the limit of Lambda, 6 MiB', 'GET /v1/price/bare', 'x'.repeat(6 * mebibyte)],
  ['a body whose JSON is above the limit of Lambda', 'GET /v1/price/bare', '"'.repeat(3 * mebibyte)],
])('%s is 413 with the body of API Gateway, and no function runs', async ([, target, body]) => {
  const gateway = await start([], { getPrice: faulty })
  const [head = '', text] = (await sendBody(gateway, target, body)).split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1\.1 413 /)
  expect(head).toMatch(/^Content-Type: application\/json$/im)
  expect(head).not.toMatch(/^Access-Control-Allow-Origin/im)
  expect(text).toBe('{"message":"Request Too Long"}')
  const { headers } = await get(`${gateway.baseUrl}/price/bare`)
  expect([headers.get('served'), headers.get('x-local-cache')]).toEqual(['1', 'miss'])
})

test('a body below the limit of Lambda is passed', async () => {
  const gateway = await start([], { getPrice: faulty })
  const body = 'x'.repeat(6 * mebibyte - 10_000)
  expect(await sendBody(gateway, 'GET /v1/price/bare', body)).toMatch(/^HTTP\/1\.1 200 /)
})

test('an aborted request causes no error', async () => {
  const gateway = await start([], { getPrice: faulty })
  for (const request of [
    'GET /v1/price/hang HTTP/1.1\r\nHost: x\r\n\r\n',
    'POST /v1/price HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx',
  ]) {
    const socket = connect(Number(new URL(gateway.origin).port), '127.0.0.1')
    socket.write(request)
    await new Promise(resolve => setTimeout(resolve, 100))
    socket.destroy()
  }
  expect((await get(`${gateway.baseUrl}/price/bare`)).status).toBe(200)
  expect(lines).toEqual([])
})

test('a connection is reused, and stop closes it at once', async () => {
  const gateway = await start()
  const socket = connect(Number(new URL(gateway.origin).port), '127.0.0.1')
  for (let sent = 0; sent < 2; sent++) {
    socket.write('GET /v1/price HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(socket, 'data')
  }
  const closed = once(socket, 'close')
  await gateway.stop()
  stops.shift()
  await closed
})

test('a replaced stack answers new requests, at the same address, while the former one ends its own', async () => {
  const path = await stack.copy([], { GetPrice: echo })
  const release = `${path}.release`
  const waiting = `import { existsSync } from 'node:fs'
    export const handler = async () => {
      while (!existsSync(${JSON.stringify(release)})) await new Promise(resolve => setTimeout(resolve, 10))
      return { statusCode: 200, body: 'former' }
    }`
  const gateway = await start([], { getPrice: waiting })
  const template = await readTemplate(path)
  const functions = createFunctions({ functions: template.functions })
  stops.push(functions.stop)
  const former = get(`${gateway.baseUrl}/price/CRWD`)
  // On another connection. The first request has reached the gateway before this one is answered.
  await get(`${gateway.baseUrl}/openapi.json`)
  let isReplaced = false
  const replaced = gateway.replace({ template, functions }).then(() => {
    isReplaced = true
  })
  expect(await echoed(`${gateway.baseUrl}/price/crwd`)).toMatchObject({ served: 1, cache: 'miss' })
  expect(isReplaced).toBe(false)
  await writeFile(release, '')
  expect((await former).text).toBe('former')
  await replaced
})

test('a port in use is an error with its code', async () => {
  const { origin } = await start()
  const template = await readTemplate(stack.path)
  const functions = createFunctions({ functions: template.functions })
  const port = Number(new URL(origin).port)
  await expect(startGateway({ template, functions, host: '127.0.0.1', port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  })
})
