import { expect, test } from 'vitest'
import { readOpenApiDocument } from '../../infra/api/openapi-document.ts'
import type { Reply } from '../../smoke/client.ts'
import { askNetworks, checkDescription } from '../../smoke/description.ts'
import { mainnet } from '../../smoke/record.ts'
import { createClock } from './clock.ts'
import { toReply } from './reply.ts'

const served = JSON.parse(readOpenApiDocument())
const { value: record } = served.components.responses.Price.content['application/json'].examples.refused
const { value: list } = served.components.responses.PriceList.content['application/json'].examples.testnet

const link = { Link: '</openapi.json>; rel="service-desc", </docs>; rel="service-doc"' }
const headers = {
  Price: {
    ...link,
    'Cache-Control': 'public, must-revalidate, stale-if-error=0',
    Expires: 'Sat, 21 Nov 2026 10:00:10 GMT',
  },
  Description: { 'Cache-Control': 'public, max-age=300', 'X-Content-Type-Options': 'nosniff' },
  Preflight: {
    'Access-Control-Allow-Methods': 'GET',
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Max-Age': '600',
  },
  Problem: { ...link, 'Cache-Control': 'no-store', 'Content-Type': 'application/problem+json' },
}
const price = toReply('/price/NFLX', record, headers.Price)
const head = {
  ...toReply('/price/NFLX', {}, { ...link, 'Cache-Control': headers.Price['Cache-Control'] }),
  method: 'HEAD',
  text: '',
}
const preflight = { ...toReply('/price/', {}, headers.Preflight, 204), method: 'OPTIONS', text: '' }
const problem = served['x-elsewhere'].responses[404].content['application/problem+json'].examples['unknown-route'].value
const elsewhere = toReply('/prices', problem, headers.Problem, 404)

/** Checks a list and other replies with a description. */
function check(description: object, ...others: readonly Reply[]) {
  const listed = toReply('/price?network=testnet', list, headers.Price)
  const replies = [toReply('/openapi.json', description, headers.Description), listed, ...others]
  return Object.fromEntries(
    checkDescription(replies).map(({ name, outcome, detail }) => [name, `${outcome}: ${detail}`]),
  )
}

test('the examples of our description match it, and it rejects every alteration of them', () => {
  expect(check(served, price, head, preflight, elsewhere)).toEqual({
    'answers match openapi.json': 'passed: 6 answers',
    'openapi.json rejects altered answers': 'passed: 123 altered answers',
  })
})

const without = (reply: Reply, name: string): Reply => {
  const others = new Headers(reply.headers)
  others.delete(name)
  return { ...reply, headers: others }
}

test.each([
  [toReply('/price/NFLX', { ...record, price: '1102.9' }, headers.Price), 'body/price must be number,null'],
  [toReply('/price/NFLX', { ...record, multiplier: 0 }, headers.Price), 'body/multiplier must be > 0'],
  [toReply('/price/NFLX', { ...record, stack: 1 }, headers.Price), 'body must NOT have additional properties'],
  [toReply('/price/NFLX', [], { ...headers.Price, 'Content-Type': 'text/html' }), 'not described as text/html'],
  [toReply('/price/NFLX', {}, {}, 302), 'the described statuses are 200, 400, 403, 404, 429, 500, 502, 503, 504'],
  [toReply('/price/NFLX', problem, headers.Problem, 404), 'body/type must be equal to constant'],
  [
    toReply('/prices', problem, { ...headers.Problem, 'Cache-Control': 'public' }, 404),
    'Cache-Control must be equal to constant',
  ],
  [
    toReply('/price', list, { ...headers.Price, 'Cache-Control': 'public, max-age=10' }),
    'Cache-Control must be equal to constant',
  ],
  [without(price, 'Expires'), 'Expires is missing'],
  [without(elsewhere, 'Link'), 'Link is missing'],
  [without(price, 'Content-Type'), 'not described as without a media type'],
  [without(head, 'Access-Control-Allow-Origin'), 'Access-Control-Allow-Origin is missing'],
  [without(preflight, 'Access-Control-Allow-Headers'), 'Access-Control-Allow-Headers is missing'],
  [{ ...preflight, status: 500 }, 'Cache-Control is missing'],
  [{ ...head, text: '{}' }, 'the body is not empty'],
  [toReply('/price/NFLX', problem, { ...headers.Problem, Expires: 'x' }, 404), 'Expires is not described'],
  [{ ...elsewhere, method: 'DELETE', path: '/price', status: 403 }, 'body must NOT have additional properties'],
])('case %#: an answer that differs fails', (reply, mismatch) => {
  expect(check(served, reply)['answers match openapi.json']).toMatch(/^failed: \w+ \S+: \d+/)
  expect(check(served, reply)['answers match openapi.json']).toContain(`, ${mismatch}`)
})

test.each([
  ['a schema of an unknown type', { type: 'strng' }],
  ['a schema with a number as its id', { $id: 5 }],
  ['a schema that contains itself', { allOf: [{ $ref: '#/components/schemas/PriceRecord' }] }],
])('%s fails, and throws nothing', (_, schema) => {
  const schemas = { ...served.components.schemas, PriceRecord: schema }
  expect(check({ ...served, components: { ...served.components, schemas } }, price)).toEqual({
    'answers match openapi.json': expect.stringMatching(/^failed: it cannot be used: /),
  })
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
])('case %#: a description with a loose schema fails', (description, mismatch) => {
  expect(check(description, price)['openapi.json rejects altered answers']).toContain(`failed: ${mismatch}`)
})

test('a description that lacks a path or a header fails', () => {
  const { '/price/{symbol}': operations, ...others } = served.paths
  expect(check({ ...served, paths: { ...others, '/price/{ticker}': operations } }, price)).toMatchObject({
    'answers match openapi.json': 'failed: GET /price/NFLX: 200, the described statuses are 400, 403, 404, 429, 500',
  })
  const { 'Cache-Control': _, ...headers } = served.components.responses.Price.headers
  const responses = { ...served.components.responses, Price: { ...served.components.responses.Price, headers } }
  expect(check({ ...served, components: { ...served.components, responses } }, price)).toMatchObject({
    'openapi.json rejects altered answers': expect.stringMatching(
      /^failed: accepts a 200 of \/price\/\{symbol\} without cache-control$/,
    ),
  })
})

const [names, ids] = [served.components.schemas.NetworkName.enum, served.components.schemas.ChainId.enum]
const testnet = { slug: 'testnet', query: '?network=testnet', name: 'Robinhood Chain Testnet', chainId: '46630' }

/** Asks a service with these networks in its description. */
function ask(slugs: unknown, [NetworkName, ChainId]: unknown[] = [names, ids], initial = 'mainnet') {
  const components = {
    parameters: { Network: { schema: { enum: slugs, default: initial } } },
    schemas: { NetworkName: { enum: NetworkName }, ChainId: { enum: ChainId } },
  }
  const fields = JSON.parse(JSON.stringify({ components }), (_, value) =>
    typeof value === 'number' ? `${value}` : value,
  )
  const reply = { ...toReply('/openapi.json', {}), fields }
  return askNetworks({ baseUrl: '', replies: [], clock: createClock(), ask: async () => reply })
}

test('the networks are those of the description', async () => {
  const { networks, check } = await ask(['mainnet', 'testnet'])
  expect(networks).toEqual([mainnet, testnet])
  expect(check).toMatchObject({ outcome: 'passed', detail: 'mainnet, testnet' })
})

test.each<Parameters<typeof ask>>([
  [undefined],
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
])('case %#: networks that are not as specified fail, and none is checked', async (...networks) => {
  expect(await ask(...networks)).toMatchObject({ networks: [], check: { outcome: 'failed' } })
})
