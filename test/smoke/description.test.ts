import { expect, test } from 'vitest'
import { readOpenApiDocument } from '../../infra/api/openapi-document.ts'
import type { Reply } from '../../smoke/client.ts'
import { askNetworks, checkDescription } from '../../smoke/description.ts'
import { mainnet } from '../../smoke/record.ts'
import { createClock } from '../support/smoke/clock.ts'
import { toReply } from '../support/smoke/reply.ts'

const served = JSON.parse(readOpenApiDocument())
const { value: record } = served.components.responses.Price.content['application/json'].examples.refused
const { value: list } = served.components.responses.PriceList.content['application/json'].examples.testnet

const ofPrices = {
  Link: '<https://prices.example/openapi.json>; rel="service-desc", <https://prices.example/docs>; rel="service-doc"',
  'Cache-Control': 'public, must-revalidate, stale-if-error=0',
  Expires: 'Sat, 21 Nov 2026 10:00:10 GMT',
}
const { 'unknown-symbol': unknown } =
  served.components.responses.UnknownSymbol.content['application/problem+json'].examples
const ofProblems = { Link: ofPrices.Link, 'Cache-Control': 'no-store', 'Content-Type': 'application/problem+json' }
const ofDocuments = { 'Cache-Control': 'public, max-age=300', 'X-Content-Type-Options': 'nosniff' }

/** Checks a price, a list and a problem with a description. */
function check(description: object) {
  const replies = [
    toReply('/openapi.json', description, ofDocuments),
    toReply('/price?network=testnet', list, ofPrices),
    toReply('/price/NFLX', record, ofPrices),
    toReply('/price/NOPE', unknown.value, ofProblems, 404),
  ]
  return Object.fromEntries(
    checkDescription(replies).map(({ name, outcome, detail }) => [name, `${outcome}: ${detail}`]),
  )
}

/** Returns our description with another schema. */
const withSchema = (name: string, schema: object) => {
  const { components } = served
  return { ...served, components: { ...components, schemas: { ...components.schemas, [name]: schema } } }
}

test('the examples of our description match it, and it rejects every alteration of them', () => {
  expect(check(served)).toEqual({
    'replies match openapi.json': 'passed: 4 replies',
    'openapi.json rejects altered replies': 'passed: 123 altered replies',
  })
})

test.each([
  ['a schema of an unknown type', { type: 'strng' }],
  ['a schema that contains itself', { allOf: [{ $ref: '#/components/schemas/PriceRecord' }] }],
])('%s fails, and throws nothing', (_, schema) => {
  expect(check(withSchema('PriceRecord', schema))).toEqual({
    'replies match openapi.json': expect.stringMatching(/^failed: it cannot be used: /),
  })
})

const { PriceRecord, PriceList, UnknownSymbol } = served.components.schemas

test.each([
  ['PriceRecord', { ...PriceRecord, additionalProperties: true }, '200 of /price/{symbol} with another field'],
  ['PriceRecord', { ...PriceRecord, required: PriceRecord.required.slice(1) }, '200 of /price/{symbol} without symbol'],
  ['UnknownSymbol', { ...UnknownSymbol, additionalProperties: true }, '404 of /price/{symbol} with another field'],
  ['Explorer', {}, '200 of /price with feeds with another type of explorer'],
  [
    'PriceList',
    { ...PriceList, properties: { ...PriceList.properties, feeds: { type: 'array' } } },
    '200 of /price with feeds with another field',
  ],
])('case %#: a description with a loose schema %s fails', (name, schema, mismatch) => {
  expect(check(withSchema(name, schema))['openapi.json rejects altered replies']).toContain(
    `failed: accepts a ${mismatch}`,
  )
})

test('a description that lacks a header fails', () => {
  const { Price, ...others } = served.components.responses
  const { 'Cache-Control': _, ...headers } = Price.headers
  const components = { ...served.components, responses: { ...others, Price: { ...Price, headers } } }
  expect(check({ ...served, components })['openapi.json rejects altered replies']).toBe(
    'failed: accepts a 200 of /price/{symbol} without cache-control',
  )
})

/** Asks a service for the networks in its description. */
const ask = (reply: Reply, baseUrl = 'https://prices.example/v1') =>
  askNetworks({ baseUrl, replies: [], clock: createClock(), ask: async () => reply })

const specified = {
  slugs: ['mainnet', 'testnet'],
  initial: 'mainnet',
  names: ['Robinhood Chain', 'Robinhood Chain Testnet'],
  ids: ['4663', '46630'],
}

/** A description that is as specified but for some of its networks, its numbers as texts. */
function toDescription(change: { readonly [name in keyof typeof specified]?: unknown }): Reply {
  const { slugs, initial, names, ids } = { ...specified, ...change }
  const parameters = { Network: { schema: { enum: slugs, default: initial } } }
  const schemas = { NetworkName: { enum: names }, ChainId: { enum: ids } }
  return toReply('/openapi.json', { components: { parameters, schemas } })
}

test('the networks are those of the description', async () => {
  const testnet = { slug: 'testnet', query: '?network=testnet', name: 'Robinhood Chain Testnet', chainId: '46630' }
  expect((await ask(toDescription({}))).networks).toEqual([mainnet, testnet])
})

test.each([
  [{ slugs: null }],
  [{ slugs: ['testnet', 'mainnet'], initial: 'testnet' }],
  [{ initial: 'testnet' }],
  [{ ids: ['4664', '46630'] }],
  [{ names: ['Robinhood Chain Testnet'] }],
])('%j in place of the specified fails, and no network is checked', async change => {
  expect(await ask(toDescription(change))).toMatchObject({ networks: [], check: { outcome: 'failed' } })
})

test.each([
  ['https://prices.example', 404, '. Is /v1 missing in the URL?'],
  ['https://prices.example', 403, '. Is /v1 missing in the URL?'],
  ['https://prices.example', 307, '. Is /v1 missing in the URL?'],
  ['https://prices.example', 500, ''],
  ['https://prices.example/v2', 404, ''],
])('at %s, %i to the request for the description fails, with the hint "%s"', async (baseUrl, status, hint) => {
  const detail = `GET /openapi.json: ${status}, first missing of 0${hint}`
  expect(await ask(toReply('/openapi.json', {}, {}, status), baseUrl)).toMatchObject({ check: { detail } })
})
