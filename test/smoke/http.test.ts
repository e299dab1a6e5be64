import { expect, test } from 'vitest'
import { checkReplies, checkRequests } from '../../smoke/http.ts'
import { mainnet } from '../../smoke/record.ts'
import { createClientOf, toReply } from '../support/smoke/reply.ts'

const of10Seconds = {
  'Cache-Control': 'public, must-revalidate, stale-if-error=0',
  Date: 'Sat, 21 Nov 2026 10:00:12 GMT',
  Expires: 'Sat, 21 Nov 2026 10:00:10 GMT',
  Age: '10',
}
const toPrice = (headers: Record<string, string>) =>
  toReply('/price', { readAt: '2026-11-21T10:00:00.000Z' }, { ...of10Seconds, ...headers })

const [a, b] = [
  "'sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs='",
  "'sha256-PiPoFgA5WUoziU9lZOGxNIu9egCI1CxKy3PurtWcAJ0='",
]
const policy = `default-src 'none'; script-src ${a}; style-src ${b}`
const toPage = (text: string, headers: Record<string, string> = { 'Content-Security-Policy': policy }) => ({
  ...toReply('/docs', {}, headers),
  text,
})
const [style, script] = ['<style>b</style>', '<script>a</script>']

test('replies that are as old as they may be, and a page with its policy, pass', () => {
  const checks = checkReplies([toPrice({}), toPage(style + script)])
  expect(checks.map(({ outcome }) => outcome)).toEqual(['passed', 'passed', 'skipped', 'passed'])
})

test('a page without a 200, and a problem, are checked for neither age nor policy', () => {
  const problem = { ...toPage('', { 'Cache-Control': 'no-store' }), status: 500 }
  expect(checkReplies([problem]).map(({ outcome }) => outcome)).toEqual(['passed', 'skipped', 'passed', 'skipped'])
})

test.each([
  [toPrice({ 'Access-Control-Allow-Credentials': 'true' }), 'access-control-allow-credentials is "true"'],
  [toPrice({ 'Access-Control-Allow-Origin': 'https://a.test' }), 'access-control-allow-origin is "https://a.test"'],
  [{ ...toPrice({}), status: 0, failure: 'no response (ECONNRESET)' }, /no response \(ECONNRESET\)$/],
  [toPrice({ 'Cache-Control': 'public, max-age=3600' }), 'cache-control is "public, max-age=3600"'],
  [{ ...toPage(''), status: 404 }, /cache-control is null$/],
  [toPrice({ Vary: 'Accept-Encoding, Origin' }), 'vary has Origin'],
  [toPrice({ Date: 'Sat, 21 Nov 2026 10:00:13 GMT' }), 'date is 13 s after readAt'],
  [toPrice({ Expires: 'Sat, 21 Nov 2026 10:00:11 GMT' }), 'expires is 11 s after readAt'],
  [toPrice({ Expires: 'Sat, 21 Nov 2026 10:00:00 GMT' }), 'expires is 0 s after readAt'],
  [toPrice({ Expires: 'x' }), 'expires is NaN s after readAt'],
  [toPrice({ Age: '11' }), 'age is 11'],
  [{ ...toPage(`${style}<script>a </script>`), path: '/' }, /its policy lacks script-src 'sha256-/],
  [toPage(`${style}${script}<script src="//evil.example/x.js"></script>`), /^its policy lacks script-src 'sha256-/],
  [toPage(style + script, {}), `its policy lacks script-src ${a}; GET /docs: 200, its policy lacks style-src ${b}`],
])('case %#: a reply that differs fails', (reply, mismatch) => {
  const failed = checkReplies([reply]).filter(({ outcome }) => outcome === 'failed')
  expect(failed.map(({ detail }) => detail.replace(/^GET \/\w+: 200, /, ''))).toEqual([
    typeof mismatch === 'string' ? mismatch : expect.stringMatching(mismatch),
  ])
})

type Answer = (method: string, path: string, headers: Readonly<Record<string, string>>) => number | undefined

/** Returns the statuses of our service. */
const answer: Answer = (method, path) => {
  if (method === 'OPTIONS') return 204
  if (path.includes('network=x')) return 400
  return ['/', '/docs', '/openapi.json'].includes(path) || method === 'HEAD' ? 200 : 404
}

/** Checks a service that is ours but for some statuses. Returns the names of the checks that fail. */
async function findFailed(change: Answer) {
  const client = createClientOf((path, method = 'GET', headers = {}) =>
    toReply(path, {}, {}, change(method, path, headers) ?? answer(method, path, headers)),
  )
  const checks = await checkRequests(client, [mainnet, { ...mainnet, query: '?network=testnet' }])
  return checks.filter(({ outcome }) => outcome !== 'passed').map(({ name }) => name)
}

test('a preflight with a body may be 415', async () => {
  expect(await findFailed((_, __, headers) => ('Content-Type' in headers ? 415 : undefined))).toEqual([])
})

test.each<[string, Answer]>([
  ['an unknown symbol is 404', (_, path) => (path.includes('testnet') ? 503 : undefined)],
  ['an unknown network is 400', (_, path) => (path === '/price?network=x' ? 200 : undefined)],
  ['an unknown path is 404', (_, __, { Authorization }) => (Authorization === 'x' ? 403 : undefined)],
  ['an unknown path is 404', (_, path) => (path === '/prices' ? 403 : undefined)],
  ['an unknown method is 404', method => (method === 'DELETE' ? 403 : undefined)],
  ['HEAD is answered like GET', (method, path) => (method === 'HEAD' && path === '/docs' ? 404 : undefined)],
  ['a preflight is 204', (_, __, headers) => ('Access-Control-Request-Method' in headers ? 403 : undefined)],
  ['a preflight with a body is 204 or 415', (_, __, headers) => ('Content-Type' in headers ? 500 : undefined)],
  ['the documents do not depend on Accept', (_, __, { Accept }) => (Accept === 'text/html' ? 406 : undefined)],
])('%s: a service that answers otherwise fails', async (name, change) => {
  expect(await findFailed(change)).toEqual([name])
})
