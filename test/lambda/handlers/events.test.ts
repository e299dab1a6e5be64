import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Network, networks } from '../../../api/networks.ts'
import { type PriceRoute, priceRoutes } from '../../../api/routes.ts'
import { toCorrectResult } from '../../support/chain/correct-node.ts'
import { startFaultyNode, toReply } from '../../support/chain/faulty-node.ts'
import { stopClock } from '../../support/clock.ts'
import { captureConsole, contextWith, startStubbedStore } from '../../support/container.ts'
import { expectDocumented } from '../../support/contract/documented.ts'

const logged = captureConsole() as unknown[]
const stack = new AsyncDisposableStack()

beforeAll(async () => {
  const parameters = new Map<string, string>()
  for (const network of networks) {
    const node = await startFaultyNode((response, body) => response.end(toReply(body, toCorrectResult(network, body))))
    stack.use(node)
    parameters.set(network, node.url.href)
  }
  stack.defer((await startStubbedStore(parameters)).stop)
  stopClock()
  // The functions read their environment when they are loaded.
  vi.resetModules()
})
afterAll(async () => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  await stack.disposeAsync()
})

const base = 'https://prices.example/v1'

/**
 * Invokes the function of a route with an event, and expects a documented response, and one line of a request in the
 * log, which has the response's outcome.
 */
async function invoke({ handler: name, path }: PriceRoute, event: unknown) {
  const { handler } = await import(`../../../lambda/handlers/${name}.ts`)
  logged.length = 0
  const { statusCode: status, headers, body } = await handler(event, contextWith())
  const method = body === '' ? 'HEAD' : 'GET'
  // The host and the stage of an event may have any form here. Without a host, a link is a path, which the description
  // does not permit, because API Gateway always sends one.
  const text = body.replaceAll(/"url":"([^"\\]|\\.)*"/g, `"url":"${base}"`)
  const Link = headers.Link.replaceAll(/<.*?(?=\/(openapi\.json|docs)>)/gs, `<${base}`)
  expectDocumented({ method, path, status, headers: { ...headers, Link }, text })
  const outcomes: Record<string, string> = { 200: 'ok', 400: 'unknown-network', 404: 'unknown-symbol' }
  const lines = logged.filter(line => typeof line === 'object' && line !== null && 'route' in line)
  expect(lines).toMatchObject([{ outcome: outcomes[status] }])
  return { status, link: headers.Link.split('>')[0], log: lines[0] }
}

const [list, price] = priceRoutes as readonly [PriceRoute, PriceRoute]

/** The sample of AWS for a REST API, which Lambda's console and `sam local generate-event` send. It has no host. */
const sample = {
  resource: '/{proxy+}',
  path: '/path/to/resource',
  httpMethod: 'POST',
  queryStringParameters: { foo: 'bar' },
  pathParameters: { proxy: '/path/to/resource' },
  stageVariables: { baz: 'qux' },
  headers: { Host: '1234567890.execute-api.us-east-1.amazonaws.com' },
  requestContext: { stage: 'prod', path: '/prod/path/to/resource', resourcePath: '/{proxy+}', httpMethod: 'POST' },
}
const ofLoadBalancer = {
  requestContext: { elb: { targetGroupArn: 'arn:aws:elasticloadbalancing:us-east-1:1:targetgroup/a/b' } },
  httpMethod: 'GET',
  path: '/price',
  queryStringParameters: { network: 'testnet' },
  headers: { host: 'balancer.example' },
}
const ofSchedule = { version: '0', 'detail-type': 'Scheduled Event', source: 'aws.events', resources: [], detail: {} }
const ofFunctionUrl = {
  version: '2.0',
  rawPath: '/price',
  queryStringParameters: { network: 'testnet' },
  requestContext: { domainName: 'ID.lambda-url.us-east-1.on.aws', stage: '$default', http: { method: 'GET' } },
}

test.each<[string, unknown, Network, base: string]>([
  ['the sample of AWS', sample, 'mainnet', '/prod'],
  ['of a load balancer', ofLoadBalancer, 'testnet', '/v1'],
  ['of a schedule', ofSchedule, 'mainnet', '/v1'],
  ['of a function URL', ofFunctionUrl, 'testnet', 'https://id.lambda-url.us-east-1.on.aws/$default'],
  ['{}', {}, 'mainnet', '/v1'],
  ['null', null, 'mainnet', '/v1'],
  ['undefined', undefined, 'mainnet', '/v1'],
  ['a text', 'event', 'mainnet', '/v1'],
  ['a list', [{ requestContext: 1 }], 'mainnet', '/v1'],
  ['with a context that is null', { requestContext: null }, 'mainnet', '/v1'],
  ['without a stage', { requestContext: { domainName: 'a.example' } }, 'mainnet', 'https://a.example/v1'],
  ['with an empty host', { requestContext: { domainName: '', stage: 'v2' } }, 'mainnet', '/v2'],
])('both functions answer an event: %s (D18b)', async (_, event, network, base) => {
  const link = `<${base}/openapi.json`
  expect(await invoke(list, event)).toMatchObject({ status: 200, link, log: { network } })
  expect(await invoke(price, event)).toMatchObject({ status: 404, link, log: { network } })
  const withSymbol = { ...Object(event), pathParameters: { symbol: 'nflx' } }
  expect(await invoke(price, withSymbol)).toMatchObject({ status: 200, link, log: { network } })
  const withNetwork = { ...Object(event), queryStringParameters: { network: 'x' } }
  for (const route of priceRoutes) expect(await invoke(route, withNetwork)).toMatchObject({ status: 400, link })
})

test('both functions answer every JSON value', async () => {
  const value = fc.jsonValue()
  const text = fc.oneof(fc.constantFrom('', 'testnet', 'CRWD', 'HEAD'), fc.string({ unit: 'binary' }), value)
  const fields = fc.record(
    {
      httpMethod: text,
      caller: fc.oneof(fc.constant('deployment'), value),
      queryStringParameters: fc.oneof(fc.record({ network: text }), value),
      pathParameters: fc.oneof(fc.record({ symbol: text }), value),
      requestContext: fc.oneof(fc.record({ domainName: text, stage: text }, { requiredKeys: [] }), value),
    },
    { requiredKeys: [] },
  )
  const property = fc.asyncProperty(fc.oneof(fields, value), fc.constantFrom(...priceRoutes), async (event, route) => {
    await invoke(route, event)
  })
  await fc.assert(property, { numRuns: 300 })
})
