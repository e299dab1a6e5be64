import { expect, test } from 'vitest'
import { allExamples } from '../support/contract/document.ts'
import { expectDocumented, type Reply } from '../support/contract/documented.ts'

const exampleOf = (response: string) => allExamples.find(one => one.response === response)?.value as object

const link = {
  Link: '<https://prices.example/v1/openapi.json>; rel="service-desc", <https://prices.example/v1/docs>; rel="service-doc"',
}
const successHeaders = {
  ...link,
  'Content-Type': 'application/json',
  'Cache-Control': 'public, must-revalidate, stale-if-error=0',
  'Access-Control-Allow-Origin': '*',
  Expires: 'Fri, 20 Nov 2026 21:56:43 GMT',
}
const problemHeaders = {
  ...link,
  'Content-Type': 'application/problem+json',
  'Cache-Control': 'no-store',
  'Access-Control-Allow-Origin': '*',
}
const preflightHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Max-Age': '600',
}
const record = exampleOf('Price')
const unknownSymbol = exampleOf('UnknownSymbol')

const toReply = (method: string, path: string, status: number, headers: Reply['headers'], body?: object): Reply => ({
  method,
  path,
  status,
  headers,
  text: body === undefined ? '' : JSON.stringify(body),
})
const good = {
  'a price': toReply('GET', '/price/crwd?network=mainnet', 200, successHeaders, record),
  'a problem': toReply('GET', '/price/NOPE', 404, problemHeaders, unknownSymbol),
  'a preflight': toReply('OPTIONS', '/price/', 204, preflightHeaders),
  'a HEAD': toReply('HEAD', '/price', 200, successHeaders),
}

test.each(Object.entries(good))('%s as documented is accepted', (_, reply) => {
  expect(() => expectDocumented(reply)).not.toThrow()
})

const body = (change: object, from: object = record) => ({ text: JSON.stringify({ ...from, ...change }) })
const headers = (change: Record<string, string>, from: object = successHeaders) => ({ headers: { ...from, ...change } })
const without = (name: string, from: Readonly<Record<string, string>>) => {
  const { [name]: _, ...others } = from
  return { headers: others }
}
const broken = body({ status: 502 }, exampleOf('Broken'))
const expires = { Expires: successHeaders.Expires }

// test/smoke/description.test.ts alters each field of a price, a list and a problem, and the headers of cache and CORS.
test.each<[what: string, of: keyof typeof good, change: Partial<Reply>, message: RegExp]>([
  ['a multiplier of zero', 'a price', body({ multiplier: 0 }), /body\/multiplier must be > 0/],
  ['other decimals', 'a price', body({ decimals: 18 }), /body\/decimals must be equal to constant/],
  ['an invalid address', 'a price', body({ feed: '0x84' }), /body\/feed must match pattern/],
  ['a moment without milliseconds', 'a price', body({ readAt: '2026-11-20T21:56:33Z' }), /body\/readAt must match/],
  ['a body that is no JSON', 'a price', { text: '{' }, /the body is no JSON/],
  ['an unknown symbol of the list', 'a problem', { path: '/price' }, /the described statuses are 200, 400, 403, 429/],
  ['another media type', 'a price', headers({ 'Content-Type': 'text/plain' }), /not described as text\/plain/],
  ['no media type', 'a price', without('Content-Type', successHeaders), /not described as without a media type/],
  ['a missing header', 'a price', without('Expires', successHeaders), /Expires is missing/],
  ['another link', 'a problem', headers({ Link: '</openapi.json>; rel="service-desc"' }, problemHeaders), /Link must/],
  ['a problem that expires', 'a problem', headers(expires, problemHeaders), /Expires is not described/],
  ['a HEAD with a body', 'a HEAD', { text: '{}' }, /the body is not empty/],
  ['another status in the body', 'a problem', { path: '/docs', status: 500, ...broken }, /status in the body is 502/],
  ['a preflight that fails', 'a preflight', { status: 500 }, /Cache-Control is missing/],
  ['a preflight with a body', 'a preflight', { text: '{}' }, /the body is not empty/],
  ['a preflight of an unknown path', 'a preflight', { path: '/prices' }, /the described statuses are 400, 403, 404/],
  ['an unknown method', 'a price', { method: 'POST' }, /the described statuses are 400, 403, 404/],
])('%s is rejected', (_, of, change, message) => {
  expect(() => expectDocumented({ ...good[of], ...change })).toThrow(message)
})
