import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { networks, toQuery } from '../../api/networks.ts'
import { Problem } from '../../api/problems.ts'
import { type Feed, feedsOf, findFeed } from '../../lambda/feeds/registry.ts'
import { variables } from '../../lambda/settings.ts'
import { type Result, runChecks } from '../../smoke/check.ts'
import { listChecks, probeChecks } from '../../smoke/checks.ts'
import { type Clock, createClient, type Request } from '../../smoke/client.ts'
import { handler } from '../../smoke/probe.ts'
import { run } from '../../smoke/smoke.ts'
import { createOffset } from '../support/clock.ts'
import { makeUnreadable } from '../support/local/make-unreadable.ts'
import { startService } from '../support/service.ts'
import { createClock } from '../support/smoke/clock.ts'
import { type Change, type Exchange, record, replay } from '../support/smoke/recording.ts'

const mainnet = feedsOf('mainnet')
const testnet = feedsOf('testnet')
/** A feed that reverts every call. */
const unreadable = 'CRWD'
/** The feed that the probe reads. */
const [first] = mainnet as readonly [Feed, ...Feed[]]

const service = await startService()
const { baseUrl } = service
/** Moves the clock of the service's cache. */
const offset = createOffset()
/** The same clock, which sleeping moves at once. */
const clock: Clock = { nowMs: () => performance.now(), sleep: async ms => offset.advance(ms) }

/** Makes each success of a network the problem that its chain is unavailable. */
const lose =
  (query: string): Change =>
  ({ url, status, headers: { expires: _, ...headers } }) => {
    if (status !== 200 || !(query === '' ? url.endsWith('/price') : url.endsWith(query))) return undefined
    const { body } = new Problem('chain-unavailable')
    const own = { 'content-type': 'application/problem+json', 'cache-control': 'no-store', 'retry-after': '10' }
    return { status: body.status, headers: { ...headers, ...own }, text: JSON.stringify(body) }
  }
const loseTestnet = lose('network=testnet')

await makeUnreadable(service, unreadable)
/** Of one run of all checks. */
const exchanges: Exchange[] = []
const client = createClient(baseUrl, clock, record(exchanges))
const results = await runChecks(listChecks(true), client)
/** Of a run during which the chain of the testnet becomes unavailable, after its list was read. */
const exchangesWithoutTestnet: Exchange[] = []
const lost: Change = exchange => (exchange.url.includes('/price?') ? undefined : loseTestnet(exchange))
const other = createClient(baseUrl, clock, record(exchangesWithoutTestnet, lost))
const resultsWithoutTestnet = await runChecks(listChecks(true), other)

afterAll(async () => {
  offset[Symbol.dispose]()
  await service[Symbol.asyncDispose]()
})

beforeEach(() => {
  vi.spyOn(console, 'log').mockReturnValue()
})

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('a service whose cache keeps nothing passes the checks that expect none', async () => {
  const uncached: Request = async (...request) => {
    offset.advance(10_000)
    return await fetch(...request)
  }
  const found = await runChecks(listChecks(false), createClient(baseUrl, clock, uncached))
  expect(found.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
})

test('a service above local chains passes all checks, with a request for each feed and some for each network', () => {
  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
  const ofNetworks = networks.map(network => 2 + Math.min(100, feedsOf(network).length))
  expect(client.replies).toHaveLength(ofNetworks.reduce((sum, count) => sum + count, 58))
  expect(results).toContainEqual({
    name: 'mainnet: feeds answer at their URLs',
    outcome: 'passed',
    detail: `${Math.min(100, mainnet.length) - 1} × 200, 1 × 502 Feed unreadable`,
  })
})

/** What a recorded response to a path was. */
function the(path: string): Pick<Exchange, 'status' | 'headers' | 'text'> {
  const found = exchanges.find(({ method, url }) => method === 'GET' && url === baseUrl + path)
  if (found === undefined) throw new Error(`${path} was not recorded.`)
  return found
}

/** Changes the responses to a path. */
function at(path: string, change: Change, method = 'GET'): Change {
  return exchange => (exchange.method === method && exchange.url === baseUrl + path ? change(exchange) : undefined)
}

const edit = (path: string, from: RegExp | string, to: string) =>
  at(path, ({ text }) => ({ text: text.replace(from, to) }))

const toOtherToken = (path: string) => edit(path, /"token":"0x.{40}"/, `"token":"0x${'0'.repeat(40)}"`)

const set = (path: string, header: Readonly<Record<string, string>>) =>
  at(path, ({ headers }) => ({ headers: { ...headers, ...header } }))

/** Breaks the connection of one of the requests to a path. */
const breakAt = (path: string, broken: number) =>
  at(path, ({ count }) => (count === broken ? { status: 0 } : undefined))

/** Makes the links of a response lead to documents below another URL. */
const relink = (path: string, toUrl: () => string) =>
  at(path, ({ headers: { link = '', ...headers } }) => ({
    headers: { ...headers, link: link.replaceAll(baseUrl, toUrl()) },
  }))

/** Sets a header to a time after the read. */
const setAfterRead = (path: string, header: string, seconds: number) =>
  at(path, ({ headers, text }) => {
    const readAtMs = Date.parse(/"readAt":"([^"]+)"/.exec(text)?.[1] ?? '')
    return { headers: { ...headers, [header]: new Date(readAtMs + seconds * 1_000).toUTCString() } }
  })

/** Refuses requests that have a header. */
const refuse = (method: string, path: string, name: string) =>
  at(path, ({ asked }) => (name in asked ? { status: 405 } : undefined), method)

/** Whether a request is for a price of the mainnet whose symbol is spelled as only the checks of the cache do. */
function isOdd({ method, url }: Pick<Exchange, 'method' | 'url'>): boolean {
  const [, symbol = ''] = /\/price\/([^/?]+)/.exec(url) ?? []
  const feed = findFeed('mainnet', symbol)
  return method === 'GET' && feed !== undefined && feed.symbol !== symbol
}

/** Changes the responses to requests with an odd symbol whose URLs have this end. */
const atOdd =
  (end: string, change: Change): Change =>
  exchange =>
    isOdd(exchange) && exchange.url.endsWith(end) ? change(exchange) : undefined

/** Makes each response one of another read, by a number. */
const renumber =
  (toNumber = (count: number) => count): Change =>
  ({ count, text }) => ({ text: text.replaceAll(/("readAt":"[^"]+)\d{3}Z/g, `$1${100 + toNumber(count)}Z`) })

/** Makes the responses to requests with an odd symbol those of other reads. */
const renumberOdd = (toNumber?: (count: number) => number) => atOdd('', renumber(toNumber))

/** A cache of prices with a key of its own, which keeps them for ever. */
function cacheBy(toKey: (place: string, networks: readonly string[], query: string) => string): Change {
  const stored = new Map<string, ReturnType<Change>>()
  return atOdd('', ({ url, status, headers, text }) => {
    const { pathname, search, searchParams } = new URL(url)
    const key = toKey(pathname.replace(/\/$/, ''), searchParams.getAll('network'), search)
    const found = stored.get(key) ?? { status, headers, text }
    stored.set(key, found)
    return found
  })
}

const withoutNetwork = () => cacheBy(place => place)
const withFirstNetwork = () => cacheBy((place, of) => `${place} ${of[0]}`)

/** Keys on the network in a query whose names are not decoded. */
const toRawKey = (place: string, _: readonly string[], query: string) =>
  `${place} ${/.*[?&]network=([^&]*)/.exec(query)?.[1] || 'mainnet'}`

/** Runs all checks of the deployment that was recorded, with one change. Returns those that did not pass. */
async function check(change: Change, hasCache = true, recorded = exchanges): Promise<readonly Result[]> {
  const client = createClient(baseUrl, createClock(), replay(recorded, change))
  return (await runChecks(listChecks(hasCache), client)).filter(({ outcome }) => outcome !== 'passed')
}

const toHeadline = ({ outcome, name }: Result) => `${outcome}: ${name}`

/** The price that most changes are made to. */
const f = '/price/AAPL'
const another = mainnet.map(({ symbol }) => symbol).find(symbol => symbol !== 'AAPL' && symbol !== unreadable)

const lists = 'failed: mainnet: GET /price lists the feeds'
const feeds = 'failed: mainnet: feeds answer at their URLs'
const recent = 'failed: mainnet: a price is of the last seven days'
const origin = 'failed: every request is answered, for any origin'
const described = 'failed: replies are as the API describes them'
const selected = 'failed: a reply is of the network and the feed of its path'
const age = 'failed: a success is at most 10 s old and expires 10 s after its read'
const [unknownPath, unknownMethod] = ['failed: an unknown path is 404', 'failed: an unknown method is 404']
const head = 'failed: HEAD is answered like GET'
const [preflight, preflightWithBody] = ['failed: a preflight is 204', 'failed: a preflight with a body is 204 or 415']
const accept = 'failed: the documents do not depend on Accept'
const pages = 'failed: the pages run only their own script and style'
const description = 'failed: openapi.json is of this API'
const [byNetwork, empty] = ['failed: the cache keys on the network', 'failed: an empty network is the default']
const last = 'failed: of repeated networks the last counts'
const errors = 'failed: no caller can store an error for others'
const slash = 'failed: a trailing slash changes nothing'
const encoded = 'failed: an encoded name is stored for no other request'
const semicolon = 'failed: a name after a semicolon is stored for no other request'
const hit = 'failed: GET /price/{symbol} asked twice is one read'
const expiry = 'failed: GET /price/{symbol} is read again after 10 s'
const listExpiry = 'failed: GET /price is read again after 10 s'
const ofCacheWithoutNetwork = [byNetwork, empty, last, errors, slash, encoded, semicolon, expiry]
const ofCacheWithFirst = [last, errors, semicolon, expiry]

test.each<[wrong: string, change: Change, ...found: string[]]>([
  ['nothing', () => undefined],

  // The list.
  ['a list of another chain', edit('/price', '4663', '46630'), selected],
  ['another URL', edit('/price', '/price/AAPL"', '/price/aapl"'), lists],

  // Each feed at its own URL.
  ['another feed', at(f, () => the(`/price/${another}`)), feeds, selected],
  ['another contract', toOtherToken(f), feeds],
  ['a feed that is unreadable at its own URL alone', at(f, () => the(`/price/${unreadable}`)), feeds],
  ['another problem than in the list', at(`/price/${unreadable}`, () => the('/price/NONE')), feeds],

  // What the API describes; test/smoke/contract.test.ts has every kind of difference.
  ['a record with another field', edit(f, '{', '{"stack":1,'), described],
  ['links to documents below a route', relink(f, () => `${baseUrl}/price`), described],

  // Browsers and caches.
  ['another origin', set(f, { 'access-control-allow-origin': 'https://a.test' }), origin, described],
  ['credentials', set(f, { 'access-control-allow-credentials': 'true' }), origin],
  ['a response for one origin', set(f, { vary: 'Accept-Encoding, Origin' }), origin],
  ['a broken connection', at(f, () => ({ status: 0 })), feeds, origin],
  ['an old price', setAfterRead(f, 'date', 13), age],
  ['a late expiry', setAfterRead(f, 'expires', 12), age],
  ['an early expiry', setAfterRead(f, 'expires', 0), age],
  ['no date of expiry', set(f, { expires: 'x' }), age, described],
  ['an old hit', set(f, { age: '11' }), age],

  // Other requests.
  ['a price of an unknown symbol', at('/price/NONE', () => the(f)), 'failed: an unknown symbol is 404', selected],
  ['a list of an unknown network', at('/price?network=x', () => the('/price')), 'failed: an unknown network is 400'],
  ['no path with a signature', refuse('GET', '/prices', 'authorization'), unknownPath, described],
  ['a method that is refused', refuse('DELETE', '/price/NONE', 'origin'), unknownMethod, described],
  ['no HEAD', refuse('HEAD', '/docs', 'origin'), head, described],
  ['no preflight', refuse('OPTIONS', '/', 'access-control-request-method'), preflight, described],
  ['no preflight with a body', refuse('OPTIONS', '/', 'content-type'), preflightWithBody, described],
  ['documents that depend on Accept', refuse('GET', '/docs', 'accept'), accept, described],

  // Documents.
  ['another script in the board', edit('/', '</script>', ' </script>'), pages],
  ['one more script in the reference', edit('/docs', '</head>', '<script src="//a.test/x.js"></script>$&'), pages],
  ['another style in the reference', edit('/docs', '</style>', ' $&'), pages],
  ['a description of other networks', edit('/openapi.json', /4663,\s*46630/, '4663'), description],
  ['a loose schema', edit('/openapi.json', /"required":\s*\["symbol",/, '"required":['), description],
  ['a description without a path', edit('/openapi.json', '"/price/{symbol}":', '"/prices/{symbol}":'), description],

  // The cache.
  ['a cache without the network in its key', withoutNetwork(), ...ofCacheWithoutNetwork, selected],
  ['a cache with the first network in its key', withFirstNetwork(), ...ofCacheWithFirst, selected],
  ['a cache that keys on names as they are sent', cacheBy(toRawKey), encoded, semicolon, expiry, selected],
  ['no empty network', atOdd('?network=', () => the('/price/NONE?network=x')), empty],
  ['any network', atOdd('?network=mainnet&network=smoke-test', () => the(f)), errors],
  ['no trailing slash', atOdd('/', () => the('/price/NONE')), slash],
  ['a price that is never a hit', renumberOdd(), hit],
  ['a price that is a hit after three minutes', renumberOdd(count => Math.min(count, 40))],
  ['a price that is a hit at the fifth request', renumberOdd(count => (count > 4 ? count : Math.min(count, 3)))],
  ['a list that never expires', at('/price', () => the('/price')), listExpiry],
  ['no second read of the list', breakAt('/price', 3), listExpiry, origin],
])('the checks find %s', async (_, change, ...found) => {
  expect((await check(change)).map(toHeadline)).toEqual(found)
})

test('a cache that API Gateway creates is waited for, for four minutes in all, which is printed', async () => {
  const clock = createClock()
  const [list, price] = [at('/price', renumber()), renumberOdd()]
  const change: Change = exchange => list(exchange) ?? price(exchange)
  const client = createClient(baseUrl, clock, replay(exchanges, change))
  const checks = listChecks(true).slice(0, networks.length + 2)
  expect((await runChecks(checks, client)).map(({ outcome }) => outcome)).toEqual([
    ...networks.map(() => 'passed'),
    'failed',
    'failed',
  ])
  expect(clock.nowMs()).toBeGreaterThanOrEqual(240_000)
  expect(clock.nowMs()).toBeLessThan(250_000)
  const asked = exchanges.find(isOdd)?.url.replace(baseUrl, '')
  expect(vi.mocked(console.log).mock.calls).toEqual(
    [asked, '/price'].map(path => [`No hit of the cache for ${path} yet. Waiting up to 4 minutes for it.`]),
  )
})

test('a finding names the requests and what was found, at most three times', async () => {
  const named = mainnet.map(({ symbol }) => symbol).filter(symbol => symbol === first.symbol || symbol >= unreadable)
  const urls = named.map(symbol => `${baseUrl}/price/${symbol}`)
  const change: Change = ({ url, headers: { link: _, ...headers } }) => (urls.includes(url) ? { headers } : undefined)
  const [{ detail } = { detail: '' }] = await check(change)
  expect(detail.split('; ')).toEqual([
    `GET /price/${first.symbol}: 200, Link is missing`,
    `GET /price/${unreadable}: 502 Feed unreadable, Link is missing`,
    `GET /price/${named[2]}: 200, Link is missing`,
    'and more',
  ])
})

test('a check that throws another error than a finding has failed', async () => {
  const check = { name: 'a check', run: () => Promise.reject(new TypeError('a bug')) }
  expect(await runChecks([check], client)).toEqual([{ name: 'a check', outcome: 'failed', detail: 'a bug' }])
})

test('two responses of one read are found where nothing caches', async () => {
  const read = expect.stringMatching(/^200 (\S+), then 200 \1$/)
  expect(await check(() => undefined, false)).toEqual([
    { name: 'GET /price/{symbol} asked twice is two reads', outcome: 'failed', detail: read },
    { name: 'GET /price asked twice is two reads', outcome: 'failed', detail: read },
  ])
})

test('a response that does not come is no second read', async () => {
  expect(await check(breakAt('/price', 2), false)).toContainEqual({
    name: 'GET /price asked twice is two reads',
    outcome: 'failed',
    detail: expect.stringMatching(/^200 \S+, then no response \(ECONNRESET\) $/),
  })
})

const ofTestnet = '/price?network=testnet'
const noList = 'noted: testnet: GET /price lists the feeds'
const failedList = noList.replace('noted', 'failed')
const noFeeds = 'noted: testnet: feeds answer at their URLs'

/** Leaves as many records in a list as half of its feeds, or fewer. */
const keepRecords = (path: string, fewer = 0) =>
  at(path, ({ text }) => {
    let left = Math.ceil((path === ofTestnet ? testnet : mainnet).length / 2) - fewer
    const entries = text.split(/(?=\{"symbol":)/).map((entry, index) => {
      if (index === 0 || entry.includes('"problem":')) return entry
      left -= 1
      return left < 0 ? entry.replace('{', '{"problem":{},') : entry
    })
    return { text: entries.join('') }
  })

/** Replaces the age of prices in the mainnet's list: of all, or of all but the first one. */
const toAges = (ageSeconds: string, from = 0) =>
  at('/price', ({ text }) => {
    let index = 0
    return { text: text.replace(/(?<="ageSeconds":)[^,]+/g, age => (index++ < from ? age : ageSeconds)) }
  })

test.each<[what: string, change: Change, ...found: string[]]>([
  ['half of the records', keepRecords('/price')],
  ['fewer than half of the records', keepRecords('/price', 1), lists],
  ['no record', keepRecords('/price', mainnet.length), lists, recent.replace('failed', 'noted')],
  ['half of the records of the testnet', keepRecords(ofTestnet)],
  ['fewer than half of the records of the testnet', keepRecords(ofTestnet, 1), noList],
  ['no chain of the testnet', loseTestnet, noList, noFeeds],
  ['another problem of the testnet', at(ofTestnet, () => the(`/price/${unreadable}`)), failedList, noFeeds],
  ['no price', toAges('null'), recent],
  ['prices of seven days ago alone', toAges('604800'), recent],
  ['prices of almost seven days ago', toAges('604799')],
  ['one price of today', toAges('null', 1)],
])(
  'of a list with %s, the probe and the smoke test find the same, but only the probe finds old prices',
  async (...row) => {
    const [, change, ...found] = row
    expect(await probe(change)).toEqual(found)
    const all = (await check(change, true, exchangesWithoutTestnet)).map(toHeadline)
    const ofLists = (headlines: readonly string[]) => headlines.filter(headline => headline.includes('lists the feeds'))
    expect(ofLists(all)).toEqual(ofLists(found))
    expect(all).not.toContain(recent)
  },
)

test('the probe and the checks of the cache fail without the chain of the default network', async () => {
  expect(await probe(lose(''))).toEqual([lists, ...[feeds, recent].map(check => check.replace('failed', 'noted'))])
  // The spelling of the first check of the cache, which asks for it with another network too.
  const [asked = ''] = exchanges.flatMap(({ url }) => /\/price\/[a-z][A-Z][a-z]+(?=\?network=\w+$)/.exec(url) ?? [])
  expect(await check(lose(asked))).toEqual([
    { name: 'the cache keys on the network', outcome: 'failed', detail: `GET ${asked}: 503 Chain unavailable` },
  ])
})

test('a testnet that becomes unavailable after its list was read fails nothing, and is noted', () => {
  expect(resultsWithoutTestnet.filter(({ outcome }) => outcome !== 'passed')).toEqual([
    {
      name: 'testnet: feeds answer at their URLs',
      outcome: 'noted',
      detail: `${Math.min(100, testnet.length)} × 503 Chain unavailable`,
    },
  ])
  expect(resultsWithoutTestnet).toContainEqual({
    name: 'the cache keys on the network',
    outcome: 'passed',
    detail: expect.stringMatching(/^\/price\/\w+, without another network: 2 requests$/),
  })
})

test.each<[what: string, cache: Change, ...found: string[]]>([
  ['without the network in its key', withoutNetwork(), ...ofCacheWithoutNetwork],
  ['with the first network in its key', withFirstNetwork(), ...ofCacheWithFirst],
])('without the chain of the testnet, the checks find a cache %s', async (_, cache, ...found) => {
  const change: Change = exchange => loseTestnet(exchange) ?? cache(exchange)
  const all = await check(change, true, exchangesWithoutTestnet)
  expect(all.map(toHeadline).filter(headline => headline.startsWith('failed'))).toEqual(found)
})

test('the probe checks the list of each network and one price of it', async () => {
  const client = createClient(baseUrl, createClock())
  const found = await runChecks(probeChecks, client)
  const ofNetworks = networks.flatMap(network => [lists, feeds].map(headline => headline.replace('mainnet', network)))
  expect(found.map(toHeadline)).toEqual(
    [...ofNetworks, recent, origin, selected, age].map(headline => headline.replace('failed', 'passed')),
  )
  expect(client.replies.map(({ path }) => path)).toEqual(
    networks.flatMap(network => ['', `/${feedsOf(network)[0]?.symbol}`].map(end => `/price${end}${toQuery(network)}`)),
  )
})

test('the probe accepts a field that it does not know (D30)', async () =>
  expect(await probe(edit(`/price/${first.symbol}`, '{', '{"added":1,'))).toEqual([]))

/** Returns what the probe finds in a run with a change. */
async function probe(change: Change): Promise<string[]> {
  const client = createClient(baseUrl, createClock(), replay(exchanges, change))
  const failed = (await runChecks(probeChecks, client)).filter(({ outcome }) => outcome !== 'passed')
  return failed.map(toHeadline)
}

const oneMismatch = toOtherToken(`/price/${first.symbol}`)

test('one check that failed fails the function of the probe, and checks that are noted do not', async () => {
  vi.stubEnv(variables.publicBaseUrl, baseUrl)
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const replayed = replay(exchanges, exchange => oneMismatch(exchange) ?? loseTestnet(exchange))
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => replayed(url, init))
  await expect(handler()).rejects.toThrow(/^Checks that failed: 1$/)
  const detail = `GET /price/${first.symbol}: 200, token is 0x${'0'.repeat(40)}, unlike in the list`
  expect(warn.mock.calls).toEqual([[{ check: 'mainnet: feeds answer at their URLs', detail }]])
})

test('one check that failed is exit code 1', async () => {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  const replayed = replay(exchanges, oneMismatch)
  // The command's own first request belongs to no check.
  const request = (url: string, init: RequestInit) =>
    url === `${baseUrl}/openapi.json` ? fetch(url, init) : replayed(url, init)
  expect(await run(createClient(baseUrl, createClock(), request), true)).toBe(1)
  expect(log.mock.calls.join()).toContain(' passed, 1 failed, ')
})

test('the function of the probe passes at the service', async () => {
  vi.stubEnv(variables.publicBaseUrl, baseUrl)
  await expect(handler()).resolves.toBeUndefined()
})
