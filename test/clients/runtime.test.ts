import type { IncomingHttpHeaders } from 'node:http'
import type { APIGatewayProxyResult } from 'aws-lambda'
import { afterAll, expect, test } from 'vitest'
import { defaultNetwork, ofEachNetwork } from '../../api/networks.ts'
import { variables } from '../../lambda/settings.ts'
import getPriceEvent from '../../local/events/get-price-crwd.json' with { type: 'json' }
import listPricesEvent from '../../local/events/list-prices.json' with { type: 'json' }
import { startService } from '../../local/service.ts'
import { startFaultyNode, status } from '../support/chain/faulty-node.ts'
import { expectDocumented } from '../support/contract/documented.ts'
import { type FunctionProcess, requestId } from '../support/lambda/function-process.ts'
import { synthesiseProd } from '../support/lambda/prod.ts'

const stack = new AsyncDisposableStack()
const service = stack.use(await startService(ofEachNetwork(() => 'embedded')))
const prod = stack.use(await synthesiseProd(service))
afterAll(() => stack.disposeAsync())

/** Invokes a function with an event of API Gateway, and expects a documented response. */
async function respond(lambda: FunctionProcess, event: { readonly httpMethod: string; readonly path: string }) {
  const { statusCode, headers = {}, body } = (await lambda.invoke(event)) as APIGatewayProxyResult
  expectDocumented({ method: event.httpMethod, path: event.path, status: statusCode, headers, text: body })
  return { statusCode, body: JSON.parse(body) }
}

const unknownSymbol = { ...getPriceEvent, path: '/price/NONE', pathParameters: { symbol: 'NONE' } }

test.each([
  ['ListPrices', 'a list', listPricesEvent, { network: 'Robinhood Chain' }],
  ['GetPrice', 'a record', getPriceEvent, { symbol: 'CRWD', status: 'Market closed', multiplier: 4 }],
])('the bundle of %s returns %s', async (id, _, event, body) => {
  prod.setRpcUrls('mainnet', [`${service.chains.mainnet?.rpcUrl}`])
  await using lambda = await prod.start(id)
  expect(await respond(lambda, event)).toMatchObject({ statusCode: 200, body })
})

test('each line of the log is JSON with the id of the request, and an object as its message', async () => {
  // Nothing listens at port 1.
  prod.setRpcUrls('mainnet', ['http://127.0.0.1:1/KEY'])
  await using getPrice = await prod.start('GetPrice')
  for (const event of [getPriceEvent, unknownSymbol]) await getPrice.invoke(event)
  const lines = (await getPrice.stop()).map(line => JSON.parse(line))
  const line = { timestamp: expect.any(String), level: expect.any(String), requestId, message: expect.any(Object) }
  expect(lines).toEqual(lines.map(() => line))
  const logged = lines.map(({ level, message }) => `${level} ${message.outcome ?? message.fault}`)
  expect(logged).toEqual(expect.arrayContaining(['WARN chain-unavailable', 'INFO unreachable', 'INFO unknown-symbol']))
})

test.each([
  ['of JavaScript', 'TypeError', 'TypeError'],
  ['that has a name like those of a minifier', '(class K extends TypeError {})', 'Error'],
])('the bundle logs a bug that throws a class %s as %s, and its frames (D25)', async (_, errorClass, error) => {
  prod.setRpcUrls('mainnet', [`${service.chains.mainnet?.rpcUrl}`])
  const bug = `JSON.rawJSON = () => { throw new ${errorClass}('SECRET') }`
  const env = { NODE_OPTIONS: `--import="data:text/javascript,${encodeURIComponent(bug)}"` }
  await using getPrice = await prod.start('GetPrice', { env })
  expect(await respond(getPrice, getPriceEvent)).toMatchObject({ statusCode: 500, body: { title: 'Internal error' } })
  const lines = (await getPrice.stop()).map(line => JSON.parse(line).message)
  const frames = expect.arrayContaining([expect.stringMatching(/^ {4}at .*index\.js:\d+:\d+\)$/)])
  expect(lines).toMatchObject([
    { outcome: 'internal', error, frames },
    { route: 'GET /price/{symbol}', outcome: 'internal' },
  ])
  expect(JSON.stringify(lines)).not.toContain('SECRET')
})

test.each(['ListPrices', 'GetPrice'])('the bundle of %s answers the event null', async id => {
  prod.setRpcUrls('mainnet', [`${service.chains.mainnet?.rpcUrl}`])
  await using lambda = await prod.start(id)
  expect(await lambda.invoke(null)).toMatchObject({ headers: { Link: expect.stringMatching('^</v1/openapi.json>') } })
})

test('a parameter that the role may not read is a problem, and its request has the credentials of the role', async () => {
  const received: IncomingHttpHeaders[] = []
  await using store = await startFaultyNode((response, body) => {
    received.push(response.req.headers)
    status(400, JSON.stringify({ __type: 'AccessDeniedException' }))(response, body)
  })
  const role = { AWS_ACCESS_KEY_ID: 'AKIDTEST', AWS_SESSION_TOKEN: 'session-of-the-role', AWS_REGION: 'eu-west-3' }
  await using getPrice = await prod.start('GetPrice', { env: { ...role, AWS_ENDPOINT_URL_SSM: store.url.href } })
  expect(await respond(getPrice, getPriceEvent)).toMatchObject({ statusCode: 500, body: { title: 'Not configured' } })
  const authorization = expect.stringMatching(/Credential=AKIDTEST\/\d{8}\/eu-west-3\/ssm\/aws4_request/)
  expect(received).toMatchObject([{ 'x-amz-security-token': role.AWS_SESSION_TOKEN, authorization }])
})

test('a function without one of its settings does not start, and names it (D32)', async () => {
  const parameter = variables.toRpcUrlsParameter(defaultNetwork)
  await using getPrice = await prod.start('GetPrice', { env: { [parameter]: undefined } })
  const errorMessage = `The environment variable ${parameter} is missing or wrong. Set it to the name of a parameter.`
  expect(await getPrice.started()).toMatchObject({ path: 'init/error', body: { errorMessage } })
})
