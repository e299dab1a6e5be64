import { generate } from 'selfsigned'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { toLink, toProblemHeaders } from '../../../api/headers.ts'
import { formatNetworks, networks, toQuery } from '../../../api/networks.ts'
import { Problem } from '../../../api/problems.ts'
import { createClient, type Send } from '../../../checks/service/client.ts'
import type { Received } from '../../../checks/service/contract.ts'
import { handler } from '../../../checks/service/probe.ts'
import { main, parseOptions, run } from '../../../checks/service/smoke.ts'
import { type Feed, feedsOf } from '../../../lambda/feeds/registry.ts'
import { variables } from '../../../lambda/settings.ts'
import { startFaultyNode, status } from '../../support/chain/faulty-node.ts'
import { stopClock } from '../../support/clock.ts'
import { makeUnreadable } from '../../support/local/make-unreadable.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
const { baseUrl } = service
const [first, second] = feedsOf('mainnet') as readonly [Feed, Feed, ...Feed[]]
await makeUnreadable(service, second.symbol)
// One clock for all tests, by which the local server caches. Pauses move it, and nothing else.
stopClock()
// Another file of the worker may have loaded the modules without the mock.
vi.hoisted(() => vi.resetModules())
vi.mock(import('node:timers/promises'), async load => {
  const timers = await load()
  return {
    ...timers,
    // A later file of the worker may use a module that was loaded with this mock.
    setTimeout: async (ms, ...rest) =>
      vi.isFakeTimers() ? (void vi.advanceTimersByTime(Number(ms)) as never) : await timers.setTimeout(ms, ...rest),
  }
})
afterAll(async () => {
  vi.useRealTimers()
  await service[Symbol.asyncDispose]()
})

beforeEach(() => {
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal)
  vi.spyOn(console, 'log').mockReturnValue()
  vi.spyOn(console, 'warn').mockReturnValue()
  vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

interface Exchange extends Omit<Received, 'headers'> {
  readonly headers: Readonly<Record<string, string>>
}

/** Returns the parts of a response in which a wrong service differs. */
type Change = (exchange: Exchange) => Partial<Exchange>

const { fetch } = globalThis

const toSend =
  (change: Change): Send =>
  async (url, init) => {
    const response = await fetch(url, init)
    const path = url.slice(baseUrl.length)
    const text = await response.text()
    const headers = Object.fromEntries(response.headers)
    // The local cache keeps its time by the stopped clock, and the server its date by the real one.
    const { expires } = headers
    if (expires !== undefined) headers['date'] = new Date(Date.parse(expires) - 10_000).toUTCString()
    const exchange = { method: `${init.method}`, path, status: response.status, headers, text }
    const changed = { ...exchange, ...change(exchange) }
    return new Response(changed.text || null, changed)
  }

/** Changes the lists and prices at some paths. */
const at =
  (paths: RegExp, change: Change): Change =>
  exchange => {
    const isRead = exchange.method === 'GET' && exchange.status === 200 && exchange.path.startsWith('/price')
    return isRead && paths.test(exchange.path) ? change(exchange) : {}
  }

const edit = (paths: RegExp, from: RegExp, to: string) => at(paths, ({ text }) => ({ text: text.replaceAll(from, to) }))

const set = (name: string, value: string) => at(/./, ({ headers }) => ({ headers: { ...headers, [name]: value } }))

function toProblem(problem: Problem, { headers: { expires: _, ...headers } }: Exchange): Partial<Exchange> {
  const { body, retryAfterSeconds } = problem
  const own = Object.fromEntries(new Headers(toProblemHeaders(retryAfterSeconds)))
  return { status: body.status, headers: { ...headers, ...own }, text: JSON.stringify(body) }
}

/** Loses the chain of the mainnet for prices whose symbols are not spelled as in the registry. */
const loseOddSpellings = at(/^\/price\/[^/?]+(\?network=mainnet)?$/, exchange => {
  const [, symbol] = /\/price\/([^?]+)/.exec(exchange.path) ?? []
  const isRegistered = networks.flatMap(feedsOf).some(feed => feed.symbol === symbol)
  return isRegistered ? {} : toProblem(new Problem('chain-unavailable'), exchange)
})

/** Responds to a wrong request as to a correct one before it. */
const accept = (wrong: string, correct: string) => (): Change => {
  let reply: Exchange | undefined
  return exchange => {
    if (exchange.path === correct && exchange.method === 'GET') reply = exchange
    return exchange.path === wrong && reply !== undefined ? reply : {}
  }
}

const unknownNetwork = new Problem('unknown-network', { networks: formatNetworks() })
const toUnreadable: Change = exchange => toProblem(new Problem('feed-unreadable', { reason: 'it is a test' }), exchange)
const loseChain = (paths: RegExp) => at(paths, exchange => toProblem(new Problem('chain-unavailable'), exchange))

/** Loses the chain from a request on that is sent after all other checks of prices and lists. */
function loseChainAfterOthers(): Change {
  let isLost = false
  return exchange => {
    isLost ||= exchange.path === '/prices'
    return isLost ? loseChain(/./)(exchange) : {}
  }
}

/** Makes each read differ from the one before, for a given time. */
function renumber(ms = Number.POSITIVE_INFINITY): Change {
  const endMs = performance.now() + ms
  let block = 0
  return at(/./, ({ text }) => {
    if (performance.now() < endMs) block += 1
    return { text: text.replaceAll(/(?<="block":)\d+/g, `${block}`) }
  })
}

/**
 * Responds from a cache of prices, lists and their problems, by a key. Its clock has steps of a second, so an entry may
 * be kept for almost a second longer than the time to live.
 */
function cacheBy(toKey: (path: URL) => string, ttlMs = 10_000): Change {
  const entries = new Map<string, Exchange & { readonly arrivedAt: number }>()
  return exchange => {
    if (exchange.method !== 'GET' || !exchange.path.startsWith('/price')) return {}
    const key = toKey(new URL(exchange.path, baseUrl))
    const arrivedAt = performance.now()
    const stored = entries.get(key)
    if (stored !== undefined && arrivedAt - stored.arrivedAt < ttlMs + 1_000) return stored
    entries.set(key, { ...exchange, arrivedAt })
    return {}
  }
}

/** Runs the command. Returns its exit code and the checks that did not pass. */
async function smoke(change: Change, hasCache = true) {
  const code = await run(createClient(baseUrl, toSend(change)), hasCache)
  const [printed = ''] = vi.mocked(console.log).mock.calls.at(-1) ?? []
  const rows = printed.matchAll(/^ {2}(failed|noted) +(.+?)(: [A-Z]+ \/.*)?$/gm)
  return [code, ...rows.map(([, result, name]: RegExpExecArray) => `${result}: ${name}`)]
}

test('a service passes, with at most ten requests in a second, on connections that are not kept', async () => {
  const send = vi.fn(toSend(() => ({})))
  const client = createClient(baseUrl, send)
  expect(await run(client, true)).toBe(0)
  const [[printed] = []] = vi.mocked(console.log).mock.calls
  expect(printed).toMatch(/^ {2}passed {2}the cache keys on the network$/m)
  expect(printed).toMatch(/\n\n\d+ passed, 0 failed, 0 noted; \d+ requests in \d+\.\d s\.$/)
  const times = client.replies.map(({ arrivedAt }) => arrivedAt)
  const pauses = times.slice(1).map((arrivedAt, index) => arrivedAt - Number(times[index]))
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(100)
  for (const [, { headers }] of send.mock.calls) expect(headers).toMatchObject({ Connection: 'close' })
  // API Gateway could take this header for a signature.
  expect(send.mock.calls.map(([, { headers }]) => new Headers(headers).get('authorization'))).toContain('x')
  // Each feed is requested at its URL.
  const urls = networks.flatMap(network => feedsOf(network).map(({ symbol }) => `/price/${symbol}${toQuery(network)}`))
  expect(client.replies.map(({ path }) => path)).toEqual(expect.arrayContaining(urls))
})

const priceOfFirst = `/price/${first.symbol}`
const ofFirst = new RegExp(`^${priceOfFirst}$`)
const byFirstNetwork = () =>
  cacheBy(({ pathname, searchParams }) => `${pathname} ${searchParams.get('network') || 'mainnet'}`)
const failMediaType: Change = ({ status }) => ({ status: status === 415 ? 500 : status })
const refuseHead: Change = ({ method, status }) => ({ status: method === 'HEAD' ? 405 : status })
const toNetworkCheck = (network: string) => `${network}: the list, and its feeds at their URLs`
const keyChecks = [
  'the cache keys on the network',
  'an empty network is the default',
  'the last of repeated networks counts',
  'no caller can store an error for others',
  'a trailing slash changes nothing',
  'the reply to an encoded name is stored for no other request',
  'the reply to a name after a semicolon is stored for no other request',
]
const [, empty, last, errors, , , semicolon] = keyChecks
const others = networks.slice(1).map(toNetworkCheck)
const failed = (...names: readonly (string | undefined)[]) => [1, ...names.map(name => `failed: ${name}`)]
const noted = (...names: readonly string[]) => [0, ...names.map(name => `noted: ${name}`)]
const requests = 'other requests have their status'
const cached = 'a list and a price are cached for 10 s'
const origin = 'every request is answered, for any origin'
const described = 'replies are as the API describes them'

test.each<[what: string, change: () => Change, found: readonly unknown[]]>([
  ['no network in the key', () => cacheBy(({ pathname }) => pathname), failed(...others, ...keyChecks, requests)],
  [
    'a price for an unknown network that is the last of two',
    () =>
      ({ path }) =>
        path.endsWith('&network=smoke-test') ? { status: 200 } : {},
    failed(errors, described),
  ],
  ['the first network in the key', byFirstNetwork, failed(last, errors, semicolon)],
  ['a cache whose clock has steps of a second', () => cacheBy(({ href }) => href), noted()],
  ['never a hit', () => renumber(), failed(cached)],
  ['never a hit of a list', () => at(/^\/price(\?|$)/, renumber()), failed(cached)],
  ['never a hit of a price', () => at(/^\/price\//, renumber()), failed(cached)],
  ['no hit for almost four minutes', () => renumber(230_000), noted()],
  ['no chain when the cache is checked', loseChainAfterOthers, failed(cached)],
  ['replies that never expire', () => cacheBy(({ href }) => href, Number.POSITIVE_INFINITY), failed(cached)],
  ['a further field', () => edit(/\/price\//, /^\{/g, '{"further":1,'), failed(described)],
  ['links of a former deployment', () => set('link', toLink('https://former.example/v1')), failed(described)],
  [
    'another token',
    () => edit(ofFirst, new RegExp(first.token, 'g'), first.address),
    failed(toNetworkCheck('mainnet')),
  ],
  ['credentials', () => set('access-control-allow-credentials', 'true'), failed(origin)],
  ['405', () => refuseHead, failed(requests, described)],
  ['500 in place of 415', () => failMediaType, failed(requests, described)],
  ['no empty network', () => at(/\?network=$/, exchange => toProblem(unknownNetwork, exchange)), failed(empty)],
  ['a list for an unknown network', accept('/price?network=x', '/price'), failed(requests)],
  ['a price for an unknown network', accept('/price/NONE?network=x', priceOfFirst), failed(requests)],
  ['a price for an unknown symbol', accept('/price/NONE', priceOfFirst), failed(requests)],
  ['no chain of the mainnet for odd spellings', () => loseOddSpellings, failed(...keyChecks)],
  ['no chain of the testnet', () => loseChain(/network=testnet/), noted(toNetworkCheck('testnet'))],
  ['no price of the testnet', () => loseChain(/\/price\/.*network=testnet$/), noted(toNetworkCheck('testnet'))],
])('the checks find a service with %s', async (_, createChange, found) => {
  expect(await smoke(createChange())).toEqual(found)
})

test.each([
  [1, 200],
  [2, 429],
])(
  'a request is repeated once, a second after a 429: with %i replies of 429, its status is %i',
  async (times, status) => {
    const refusal = new Problem('too-many-requests')
    const busy: Change = exchange => (client.replies.length < times ? toProblem(refusal, exchange) : {})
    const client = createClient(baseUrl, toSend(busy))
    expect(await client.ask(priceOfFirst)).toMatchObject({ status })
    expect(client.replies).toHaveLength(2)
    const [first, again] = client.replies.map(({ arrivedAt }) => arrivedAt)
    expect(Number(again) - Number(first)).toBeGreaterThanOrEqual(1_000)
  },
)

test('a request without a response ends after 15 seconds, before Lambda ends the probe', async () => {
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort(new Error('too late')))
  expect(await createClient(baseUrl).ask('/price')).toMatchObject({ status: 0, failure: 'no response (too late)' })
  expect(AbortSignal.timeout).toHaveBeenCalledExactlyOnceWith(15_000)
})

test('where nothing is expected to be cached, each reply must be a new read', async () => {
  expect(await smoke(renumber(), false)).toEqual(noted())
  expect(await smoke(() => ({}), false)).toEqual(failed('no list and no price is cached'))
})

test('a URL where no service responds is one sentence with the reason, and exit code 1', async () => {
  await using moved = await startFaultyNode(status(307, '', { Location: `${baseUrl}/openapi.json` }))
  const reasons: Readonly<Record<string, string>> = {
    // No service listens at port 2. Another node could take the port of one that has stopped.
    'http://127.0.0.1:2/v1': 'no response (ECONNREFUSED)',
    [moved.url.origin]: '307',
  }
  for (const url of Object.keys(reasons)) expect(await run(createClient(url), true)).toBe(1)
  const sentences = Object.entries(reasons).map(
    ([url, reason]) =>
      `No Price Lookup responds at ${url}: GET /openapi.json: ${reason}. Use the output BaseUrl of a stack.`,
  )
  expect(vi.mocked(console.error).mock.calls.flat()).toEqual(sentences)
})

test('a server whose certificate is not trusted fails, also in a shell that accepts every certificate', async () => {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'api.test' }], { keyType: 'ec' })
  await using server = await startFaultyNode(status(404), { cert, key })
  const { href } = server.url
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  expect(await main([href])).toBe(1)
  const reason = 'GET /openapi.json: no response (DEPTH_ZERO_SELF_SIGNED_CERT). Use the output BaseUrl of a stack.'
  expect(vi.mocked(console.error).mock.calls).toEqual([[`No Price Lookup responds at ${href}: ${reason}`]])
  // With the variable, the server would be reached. Node warns of it.
  vi.spyOn(process, 'emitWarning').mockReturnValue()
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  expect(await createClient(href).ask('')).toMatchObject({ status: 404 })
})

test.each([
  [],
  ['https://api.example/v1?network=testnet'],
  ['https://me:secret@api.example/v1'],
  ['https://api.example/v1', 'https://api.example/v2'],
  ['--cache', 'https://api.example/v1'],
])('a wrong command is exit code 2, and is not printed: %j, %j', async (...args) => {
  expect(await main(args.filter(arg => arg !== undefined))).toBe(2)
  expect(vi.mocked(console.error).mock.calls).toEqual([
    [expect.stringMatching(/^Expected: one http or https URL .* See npm run smoke -- --help\.$/)],
  ])
})

test('the option and the URL are parsed', () => {
  const baseUrl = 'https://api.example/v1'
  expect(parseOptions(['HTTPS://API.example:443/v1//'])).toEqual({ baseUrl, hasCache: true })
  expect(parseOptions(['--no-cache', baseUrl])).toEqual({ baseUrl, hasCache: false })
})

/** Runs the probe. Returns what it throws, the checks that it logs, and the URLs that it requests. */
async function probe(change: Change) {
  const send = vi.fn(toSend(change))
  vi.stubEnv(variables.publicBaseUrl, baseUrl)
  vi.stubGlobal('fetch', send)
  const thrown = await handler().catch(String)
  const logged = vi.mocked(console.warn).mock.calls.map(([{ check }]) => check)
  return { thrown, logged, urls: send.mock.calls.map(([url]) => url) }
}

test('the probe reads the list of each network and one price of it, and accepts a field that it does not know (D30)', async () => {
  const urls = networks.flatMap(network =>
    ['', `/${feedsOf(network)[0]?.symbol}`].map(end => `${baseUrl}/price${end}${toQuery(network)}`),
  )
  expect(await probe(edit(/./, /^\{/g, '{"further":1,'))).toEqual({ thrown: undefined, logged: [], urls })
})

/** Leaves this many records in the list of the mainnet. Its other feeds cannot be read. */
const keepRecords = (count: number) =>
  at(/^\/price$/, ({ text }) => {
    const { feeds, ...list } = JSON.parse(text)
    const records = feeds.filter((entry: object) => !('problem' in entry)).slice(0, count)
    const changed = feeds.map((entry: object) => (records.includes(entry) ? entry : { ...entry, problem: {} }))
    return { text: JSON.stringify({ ...list, feeds: changed }) }
  })

const recent = 'mainnet: a price is of the last seven days'

/** Sends a response 13 seconds after its read. */
const sendLate: Change = ({ headers, text }) => {
  const sentAt = new Date(Date.parse(JSON.parse(text).readAt) + 13_000)
  return { headers: { ...headers, date: sentAt.toUTCString() } }
}

/** Sends a response that expires this long after its read, or up to a second earlier. */
const expireAfter =
  (ms: number): Change =>
  ({ headers, text }) => ({
    headers: { ...headers, expires: new Date(Date.parse(JSON.parse(text).readAt) + ms).toUTCString() },
  })

const age = 'a success is at most 10 s old, and expires'

test.each<[what: string, change: Change, ...logged: string[]]>([
  ['another chain', edit(/testnet/, /(?<="chainId":)\d+/g, '1'), toNetworkCheck('testnet')],
  ['another host in a list', edit(/^\/price$/, /(?<="url":"http:\/\/)[^/]+/g, 'a.test'), toNetworkCheck('mainnet')],
  ['another symbol', edit(/\/price\//, /(?<="symbol":")/g, 'X'), ...networks.map(toNetworkCheck)],
  ['an unreadable feed that the list has', at(/\/price\/\w+$/, toUnreadable), toNetworkCheck('mainnet')],
  [
    'fewer than half of the feeds',
    keepRecords(Math.ceil(feedsOf('mainnet').length / 2) - 1),
    toNetworkCheck('mainnet'),
  ],
  ['an empty list', edit(/^\/price$/, /(?<="feeds":\[).*(?=\])/gs, ''), toNetworkCheck('mainnet')],
  ['no chain of the mainnet', loseChain(/^\/price$/), toNetworkCheck('mainnet')],
  ['old prices', edit(/^\/price$/, /(?<="ageSeconds":)\d+/g, '604800'), recent],
  ['another origin', set('access-control-allow-origin', 'https://a.test'), origin],
  ['a response of 13 seconds after its read', at(/./, sendLate), age],
  ['an expiry at the time of the read', at(/./, expireAfter(0)), age],
  ['an expiry of more than ten seconds after the read', at(/./, expireAfter(11_000)), age],
  ['an old hit', set('age', '11'), age],
])('the probe logs what fails, and fails: %s', async (_, change, ...logged) => {
  expect(await probe(change)).toMatchObject({ thrown: `Error: Checks that failed: ${logged.length}`, logged })
})

test('the probe logs the request and what is wrong', async () => {
  await probe(edit(ofFirst, new RegExp(first.address, 'g'), first.token))
  const detail = `GET ${priceOfFirst}: 200, its feed is not that of the list`
  expect(vi.mocked(console.warn).mock.calls).toEqual([[{ check: toNetworkCheck('mainnet'), detail }]])
})

test('the probe logs a symbol of a list visibly', async () => {
  await probe(edit(/^\/price$/, new RegExp(`(?<="symbol":")${first.symbol}(?=")`, 'g'), '\u202e'))
  const detail = `GET /price: 200, /price/\\u{202e} is at "${baseUrl}${priceOfFirst}"`
  expect(vi.mocked(console.warn).mock.calls).toEqual([[{ check: toNetworkCheck('mainnet'), detail }]])
})

test.each([
  ['another network than the default is unavailable', loseChain(/testnet/)],
  ['every price is almost seven days old', edit(/^\/price$/, /(?<="ageSeconds":)\d+/g, '604799')],
])('the probe does not fail when %s', async (_, change) =>
  expect(await probe(change)).toMatchObject({ thrown: undefined, logged: [] }),
)
