import { expect, test } from 'vitest'
import { readOpenApiDocument } from '../../infra/openapi-document.ts'
import type { Answer } from '../../smoke/check.ts'
import { askNetworks, checkDescription } from '../../smoke/description.ts'
import { mainnet } from '../../smoke/record.ts'
import { createClock } from './clock.ts'

const served = JSON.parse(readOpenApiDocument())
const { value: record } = served.components.responses.Price.content['application/json'].examples.refused
const { value: list } = served.components.responses.PriceList.content['application/json'].examples.testnet

function toAnswer(path: string, status: number, json: unknown, type = 'application/json'): Answer {
  const text = JSON.stringify(json)
  const headers = new Headers({ 'Content-Type': type })
  return { method: 'GET', path, status, headers, text, json, exact: json, receivedAtMs: 0 }
}

/** Checks a list and an answer for one price with a description. */
function check(description: unknown, price = toAnswer('/price/NFLX', 200, record)) {
  const answers = [toAnswer('/openapi.json', 200, description), toAnswer('/price?network=testnet', 200, list), price]
  return Object.fromEntries(
    checkDescription(answers).map(({ name, outcome, detail }) => [name, `${outcome}: ${detail}`]),
  )
}

test('the examples of our description match it, and it rejects every alteration of them', () => {
  expect(check(served)).toEqual({
    'openapi.json describes every path': 'passed: / /docs /openapi.json /price /price/{symbol}',
    'answers match openapi.json': 'passed: 3 answers',
    'openapi.json rejects altered answers': 'passed: 98 altered answers',
  })
})

test.each([
  [toAnswer('/price/NFLX', 200, { ...record, price: '1102.9' }), 'GET /price/NFLX: 200 /price must be number,null'],
  [toAnswer('/price/NFLX', 200, { ...record, stack: 1 }), 'GET /price/NFLX: 200  must NOT have additional properties'],
  [toAnswer('/price/NFLX', 200, [], 'text/html'), 'GET /price/NFLX: 200 is not described as "text/html"'],
  [toAnswer('/price/NFLX', 302, {}), 'GET /price/NFLX: 302 is not described as "application/json"'],
])('case %#: an answer that differs fails', (answer, fault) => {
  expect(check(served, answer)['answers match openapi.json']).toBe(`failed: ${fault}`)
})

/** Returns our description with another schema. */
const withSchema = (name: string, schema: object) => {
  const { components } = served
  return { ...served, components: { ...components, schemas: { ...components.schemas, [name]: schema } } }
}
const { PriceRecord, PriceList } = served.components.schemas

test.each([
  [
    withSchema('PriceRecord', { ...PriceRecord, additionalProperties: true }),
    'accepts a 200 of /price/{symbol} with another field',
  ],
  [
    withSchema('PriceRecord', { ...PriceRecord, required: PriceRecord.required.slice(1) }),
    'accepts a 200 of /price/{symbol} without symbol',
  ],
  [withSchema('Explorer', {}), 'accepts a 200 of /price with feeds with another type of explorer'],
  [
    withSchema('PriceList', { ...PriceList, properties: { ...PriceList.properties, feeds: { type: 'array' } } }),
    'accepts a 200 of /price with feeds with another field',
  ],
])('case %#: a description with a loose schema fails', (description, fault) => {
  expect(check(description)['openapi.json rejects altered answers']).toContain(`failed: ${fault}`)
})

test.each([
  [
    {},
    'openapi.json describes every path',
    'failed: / is missing; /docs is missing; /openapi.json is missing; and 3 more',
  ],
  [
    { ...served, $id: 5 },
    'answers match openapi.json',
    expect.stringContaining('GET /price/NFLX: 200 has an unusable schema: "Error: schema $id must be string"'),
  ],
  [
    withSchema('Explorer', { $ref: 'http://elsewhere.example' }),
    'answers match openapi.json',
    expect.stringContaining('has an unusable schema'),
  ],
])('case %#: a description that cannot be used fails', (description, name, outcome) => {
  expect(check(description)[name]).toEqual(outcome)
})

const [names, ids] = [served.components.schemas.NetworkName.enum, served.components.schemas.ChainId.enum]
const testnet = { slug: 'testnet', query: '?network=testnet', name: 'Robinhood Chain Testnet', chainId: '46630' }

/** Asks a service with these networks in its description. */
function ask(slugs: unknown, [NetworkName, ChainId]: unknown[] = [names, ids], initial = 'mainnet') {
  const components = {
    parameters: { Network: { schema: { enum: slugs, default: initial } } },
    schemas: { NetworkName: { enum: NetworkName }, ChainId: { enum: ChainId } },
  }
  const exact = JSON.parse(JSON.stringify({ components }), (_, value) =>
    typeof value === 'number' ? `${value}` : value,
  )
  const answer = { ...toAnswer('/openapi.json', 200, {}), exact }
  return askNetworks({ baseUrl: '', answers: [], clock: createClock(), ask: async () => answer })
}

test('the networks are those of the description', async () => {
  const { networks, check } = await ask(['mainnet', 'testnet'])
  expect(networks).toEqual([mainnet, testnet])
  expect(check).toMatchObject({ outcome: 'passed', detail: 'mainnet, testnet' })
})

const many = Array.from({ length: 20 }, (_, index) => `n${index}`)

test.each<Parameters<typeof ask>>([
  [undefined],
  [[{ toString: 1 }]],
  [['testnet', 'mainnet'], [names, ids], 'testnet'],
  [['mainnet', 'testnet'], [names, ids], 'testnet'],
  [
    ['mainnet', 'testnet'],
    [names, [4_664, 46_630]],
  ],
  [
    ['mainnet', 'testnet'],
    [names.slice(1), ids],
  ],
  [['mainnet', 'mainnet']],
  [['mainnet', 'test/net']],
  [
    ['mainnet', ...many],
    [
      ['Robinhood Chain', ...many],
      [4_663, ...many.keys()],
    ],
  ],
])('case %#: networks that are not as specified fail, and none is checked', async (...networks) => {
  expect(await ask(...networks)).toMatchObject({ networks: [], check: { outcome: 'failed' } })
})
