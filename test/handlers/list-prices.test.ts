import { readFileSync } from 'node:fs'
import type { APIGatewayProxyEvent, Context } from 'aws-lambda'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import registry from '../../lambda/feeds/registry.json' with { type: 'json' }
import { type Chain, chainKinds, startChain } from '../../local/chains.ts'
import { type ParameterStore, startParameterStore } from '../../local/parameter-store.ts'
import { toStandInFeeds } from '../../local/stand-in-feeds.ts'
import { stubParameterStore } from '../ssm-environment.ts'

const event: APIGatewayProxyEvent = JSON.parse(readFileSync('local/events/list-prices.json', 'utf8'))
const context = { getRemainingTimeInMillis: () => 10_000 } as Context

let chain: Chain
let store: ParameterStore
let handler: typeof import('../../lambda/handlers/list-prices.ts').handler

beforeAll(async () => {
  const startedAt = Math.floor(Date.now() / 1_000)
  chain = await startChain({ ...chainKinds.testnet, feeds: toStandInFeeds('testnet', registry.testnet, startedAt) })
  store = await startParameterStore(new Map([['/test', chain.rpcUrl]]))
  stubParameterStore(store.url)
  vi.stubEnv('RPC_URLS_PARAMETER_TESTNET', '/test')
  handler = (await import('../../lambda/handlers/list-prices.ts')).handler
})

afterAll(async () => {
  vi.unstubAllEnvs()
  await chain.stop()
  await store.stop()
})

test.each([
  ['abc.execute-api.eu-west-1.amazonaws.com', '/v1/price', 'https://abc.execute-api.eu-west-1.amazonaws.com/v1'],
  ['ABC.execute-api.eu-west-1.amazonaws.com', '/v1/price/', 'https://abc.execute-api.eu-west-1.amazonaws.com/v1'],
  ['prices.example', '/price', 'https://prices.example'],
  ['prices.example', '/feeds/v2/price', 'https://prices.example/feeds/v2'],
  ['abc.execute-api.eu-west-1.amazonaws.com:443', '/v1/price', 'https://abc.execute-api.eu-west-1.amazonaws.com/v1'],
  ['127.0.0.1:3000', '/v1/price', 'http://127.0.0.1:3000/v1'],
  ['localhost:3000', '/v1/price', 'http://localhost:3000/v1'],
  ['[::1]:3000', '/v1/price', 'http://[::1]:3000/v1'],
])('on %s at %s, prices are below %s (D18b)', async (domainName, path, baseUrl) => {
  const request = {
    ...event,
    headers: { Host: 'evil.example', 'X-Forwarded-Proto': 'gopher' },
    queryStringParameters: { network: 'testnet' },
    requestContext: { ...event.requestContext, domainName, path },
  }
  const { body } = await handler(request, context)
  expect(JSON.parse(body).feeds.map(({ url }: { url: string }) => url)).toEqual(
    registry.testnet.map(({ symbol }) => `${baseUrl}/price/${symbol}?network=testnet`),
  )
})
