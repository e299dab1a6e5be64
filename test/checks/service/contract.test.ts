import { expect, test } from 'vitest'
import { about } from '../../../api/about.ts'
import { cacheControl, corsHeaders, preflight, toLink, toProblemHeaders } from '../../../api/headers.ts'
import { pageHeaders } from '../../../api/responses.ts'
import { findDeploymentMismatches } from '../../../checks/service/contract.ts'
import { toUnknownSymbol } from '../../../lambda/feeds/unknown-symbol.ts'
import { createExamples } from '../../../pages/examples.ts'
import { type AnyResponse, expectDocumented } from '../../support/contract/documented.ts'

const baseUrl = 'https://prices.example/v1'
const common = { ...corsHeaders, Link: toLink(baseUrl) }
const expires = { Expires: 'Fri, 20 Nov 2026 21:56:43 GMT' }
const successHeaders = {
  ...common,
  ...expires,
  'Content-Type': 'application/json',
  'Cache-Control': cacheControl.price,
}
const problemHeaders = { ...common, ...toProblemHeaders(undefined) }
const { PriceRecord, PriceList } = createExamples()
const [record, list] = [PriceRecord.value, PriceList.value]
const unknownSymbol = toUnknownSymbol('mainnet', 'NOPE').body

const success = { method: 'GET', status: 200, headers: successHeaders }
const problem = { method: 'GET', status: 404, headers: problemHeaders }
const good = {
  'a price': { ...success, path: '/price/crwd?network=mainnet', text: JSON.stringify(record) },
  'a list': { ...success, path: '/price/?network=testnet', text: JSON.stringify(list) },
  'a problem': { ...problem, path: '/price/NOPE', text: JSON.stringify(unknownSymbol) },
  'a preflight': { method: 'OPTIONS', path: '/price/', status: 204, headers: preflight, text: '' },
  'a page': { ...success, path: '/docs', headers: { ...pageHeaders, 'Content-Type': 'text/html' }, text: '' },
  'a HEAD': { ...success, method: 'HEAD', path: '/price', text: '' },
}

const body = (change: object, from: object) => ({ text: JSON.stringify({ ...from, ...change }) })
const headers = (change: Record<string, string>, from: object = successHeaders) => ({ headers: { ...from, ...change } })

test.each<[what: string, of: keyof typeof good, change: Partial<AnyResponse>, message: RegExp]>([
  ['a further field', 'a price', body({ another: 'x' }, record), /the body: Unrecognized key: "another"/],
  ['a further field without a width', 'a price', body({ '\u200b': 'x' }, record), /Unrecognized key: "\\u\{200b\}"/],
  ['an incomplete feed in the list', 'a list', body({ feeds: [record] }, list), /feeds.0: Invalid input/],
  ['a further field of a problem', 'a problem', body({ another: 'x' }, unknownSymbol), /Unrecognized key: "another"/],
  ['another order', 'a list', { text: JSON.stringify({ feeds: [], ...list }) }, /its fields are in another order/],
  ['an unknown symbol of the list', 'a problem', { path: '/price' }, /the expected statuses are 200, 400, 403, 429/],
  ['another media type', 'a price', headers({ 'Content-Type': 'text/plain' }), /the media type is "text\/plain"/],
  ['a price for any cache', 'a price', headers({ 'Cache-Control': 'public' }), /Cache-Control is "public"/],
  ['a wrong link', 'a price', headers({ Link: '</docs>' }), /Link is "<\/docs>"/],
  ['a page without its policy', 'a page', {}, /Content-Security-Policy is missing/],
  ['a preflight for POST', 'a preflight', headers({ 'Access-Control-Allow-Methods': 'POST' }, preflight), /"POST"/],
  ['no header', 'a price', { headers: {} }, /Expires is missing/],
  ['a problem that expires', 'a problem', headers(expires, problemHeaders), /Expires is unexpected/],
  ['a pause of a success', 'a price', headers({ 'Retry-After': '1' }), /Retry-After is unexpected/],
  ['a HEAD with a body', 'a HEAD', { text: '{}' }, /the body is not empty/],
  ['another status in the body', 'a problem', body({ status: 400 }, unknownSymbol), /the problem is not unknown-sym/],
  [
    'a lack of networks',
    'a problem',
    body({ networks: undefined }, unknownSymbol),
    /the problem is not unknown-symbol/,
  ],
  ['another problem of the status', 'a problem', { path: '/x' }, /the problem is not unknown-route/],
  ['a preflight with a body', 'a preflight', { text: '{}' }, /the body is not empty/],
  ['a preflight of an unknown path', 'a preflight', { path: '/prices' }, /the expected statuses are 404, 400, 403/],
])('%s is rejected', (_, of, change, message) => {
  expect(() => expectDocumented({ ...good[of], ...change })).toThrow(message)
})

test('the link and the description of a former deployment are found', () => {
  const former = 'https://former.example/v1'
  const described = { info: { ...about, version: '0' }, servers: [{ url: former }] }
  const headers = new Headers({ Link: toLink(former) })
  const reply = { method: 'GET', path: '/openapi.json', status: 200, headers, text: JSON.stringify(described) }
  expect(findDeploymentMismatches(reply, baseUrl)).toEqual([
    expect.stringMatching(/^Link is "<https:\/\/former\.example\/v1\/openapi\.json>;/),
    'its info is of another version',
    `its server is not ${baseUrl}`,
  ])
})
