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
const record = exampleOf('Price')
const list = exampleOf('PriceList')
const unknownSymbol = exampleOf('UnknownSymbol')

const preflightHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Max-Age': '600',
}
const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'public, max-age=300',
  'Access-Control-Allow-Origin': '*',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'sha256-x'; style-src 'sha256-y'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
}

const toReply = (method: string, path: string, status: number, headers: Reply['headers'], body?: object): Reply => ({
  method,
  path,
  status,
  headers,
  text: body === undefined ? '' : JSON.stringify(body),
})
const good: Record<string, Reply> = {
  'a price': toReply('GET', '/price/crwd?network=mainnet', 200, successHeaders, record),
  'the list': toReply('GET', '/price/?network=testnet', 200, successHeaders, list),
  'a problem': toReply('GET', '/price/NOPE', 404, problemHeaders, unknownSymbol),
  'a preflight': toReply('OPTIONS', '/price/', 204, preflightHeaders),
  'a page': { ...toReply('GET', '/', 200, pageHeaders), text: '<!doctype html>' },
  'a HEAD': toReply('HEAD', '/price', 200, successHeaders),
  'no route': toReply('HEAD', '/prices', 404, new Headers(problemHeaders)),
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
const expires = { Expires: successHeaders.Expires }

// test/smoke/description.test.ts alters each field of a price, a list and a problem, and the headers of cache and CORS.
test.each<[what: string, of: string, change: Partial<Reply>, message: RegExp]>([
  ['a null that is not allowed', 'a price', body({ block: null }), /body\/block must be integer/],
  ['a multiplier of zero', 'a price', body({ multiplier: 0 }), /body\/multiplier must be > 0/],
  ['another spelling of a status', 'a price', body({ status: 'STALE' }), /body\/status must be equal to one of/],
  ['an invalid address', 'a price', body({ feed: '0x84' }), /body\/feed must match pattern/],
  ['a moment without milliseconds', 'a price', body({ readAt: '2026-11-20T21:56:33Z' }), /body\/readAt must match/],
  ['a body that is no JSON', 'a price', { text: '{' }, /the body is no JSON/],
  ['an undocumented status', 'a price', { status: 302 }, /the described statuses are 200, 400/],
  ['an unknown symbol of the list', 'a problem', { path: '/price' }, /the described statuses are 200, 400, 403, 429/],
  ['another media type', 'a price', headers({ 'Content-Type': 'text/plain' }), /not described as text\/plain/],
  ['no media type', 'a price', without('Content-Type', successHeaders), /not described as without a media type/],
  ['a missing header', 'a price', without('Expires', successHeaders), /Expires is missing/],
  ['no links', 'no route', without('Link', problemHeaders), /Link is missing/],
  ['another link', 'a problem', headers({ Link: '</openapi.json>; rel="service-desc"' }, problemHeaders), /Link must/],
  ['a problem that expires', 'a problem', headers(expires, problemHeaders), /Expires is not described/],
  ['a problem to retry', 'a problem', headers({ 'Retry-After': '1' }, problemHeaders), /Retry-After is not described/],
  ['a HEAD without CORS', 'a HEAD', without('Access-Control-Allow-Origin', successHeaders), /Allow-Origin is missing/],
  ['a HEAD with a body', 'a HEAD', { text: '{}' }, /the body is not empty/],
  ['a problem of another kind', 'a problem', body({ type: 'about:blank' }, unknownSymbol), /body\/type must be equal/],
  ['another status in the body', 'a problem', { path: '/x', ...body({ status: 500 }, unknownSymbol) }, /status/],
  ['a refusal with a status in the body', 'a problem', { path: '/x', status: 403 }, /body must NOT have additional/],
  [
    'a preflight without a header',
    'a preflight',
    without('Access-Control-Max-Age', preflightHeaders),
    /Max-Age is miss/,
  ],
  ['a preflight that fails', 'a preflight', { status: 500 }, /Cache-Control is missing/],
  ['a preflight with a body', 'a preflight', { text: '{}' }, /the body is not empty/],
  ['a preflight of an unknown path', 'a preflight', { path: '/prices' }, /the described statuses are 400, 403, 404/],
  ['an unknown method', 'a price', { method: 'POST' }, /the described statuses are 400, 403, 404/],
])('%s is rejected', (_, of, change, message) => {
  const reply = good[of]
  if (reply === undefined) throw new Error(`There is no ${of}`)
  expect(() => expectDocumented({ ...reply, ...change })).toThrow(message)
})
