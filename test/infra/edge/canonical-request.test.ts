import { createContext, runInContext } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { feedsOf } from '../../../lambda/feeds/registry.ts'
import { toHint, toUnknownSymbol } from '../../../lambda/feeds/unknown-symbol.ts'
import { defaultNetwork, networks, toQuery } from '../../../lambda/networks.ts'
import { expectDocumented } from '../../support/contract/documented.ts'
import { onlyOn } from '../../support/feeds/only-on.ts'
import { toRuns } from '../../support/fuzz/runs.ts'
import { allOf, bareEdge, synthesise } from '../../support/infra/synthesise.ts'

const [{ FunctionCode, FunctionConfig } = {}] = allOf(synthesise(bareEdge), 'CloudFront::Function')
const sandbox = createContext({})
runInContext(String(FunctionCode), sandbox)

interface Value {
  value: string
  multiValue?: { value: string }[]
}

interface Request {
  method: string
  uri: string
  querystring: Record<string, Value>
}

interface Response {
  statusCode: number
  headers: Record<string, Value>
  body: { data: string }
}

/**
 * Runs the synthesised function on a request of CloudFront's shape.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-event-structure.html
 */
function run(path: string, method = 'GET'): Request | Response {
  const [uri = '', query] = path.split('?')
  const querystring: Record<string, Value> = {}
  for (const pair of query?.split('&') ?? []) {
    const [name = '', value = ''] = pair.split('=')
    const { multiValue = [], ...first } = querystring[name] ?? { value }
    const values = [...multiValue, { value }]
    // The object of a name has the first value, and all of them if there are several.
    querystring[name] =
      name in querystring ? { ...first, multiValue: [...(multiValue.length === 0 ? [first] : []), ...values] } : first
  }
  const event = {
    version: '1.0',
    context: { eventType: 'viewer-request' },
    viewer: { ip: '192.0.2.1' },
    request: { method, uri, querystring, headers: { host: { value: 'prices.example' } }, cookies: {} },
  }
  return JSON.parse(runInContext(`JSON.stringify(handler(${JSON.stringify(event)}))`, sandbox))
}

/** The cache key of a request, or the status of the function's own response. */
function keyOf(path: string, method?: string): string | number {
  const result = run(path, method)
  if ('statusCode' in result) return result.statusCode
  const query = Object.entries(result.querystring).map(([name, { value }]) => `${name}=${value}`)
  return [result.uri, ...query].join('?')
}

test('the function has CloudFront’s runtime 2.0, and fits in 10 KB', () => {
  expect(FunctionConfig).toMatchObject({ Runtime: 'cloudfront-js-2.0' })
  expect(Buffer.byteLength(String(FunctionCode))).toBeLessThan(10_240)
})

/** Every feed, with every way to select its network. */
const selectedFeeds = networks.flatMap(network => {
  const encoded = `%${network.charCodeAt(0).toString(16)}${network.slice(1)}`
  const selections = [`network=${network}`, `network=${encoded}`]
  if (network === defaultNetwork) selections.push('network=', 'network')
  return feedsOf(network).flatMap(({ symbol }) => selections.map(selection => ({ network, symbol, selection })))
})

/** A feed, its symbol in any case, and a query that selects its network. */
const requests = fc
  .record({
    feed: fc.constantFrom(...selectedFeeds),
    cases: fc.array(fc.boolean(), { minLength: 10, maxLength: 10 }),
    noise: fc.array(fc.constantFrom('x=1', 'Network=testnet', 'network=', 'network=other', 'network', 'a=%20b'), {
      maxLength: 4,
    }),
    after: fc.array(fc.constantFrom('x=2', 'y', 'NETWORK=mainnet'), { maxLength: 2 }),
    slash: fc.constantFrom('', '/'),
  })
  .map(({ feed: { network, symbol, selection }, cases, noise, after, slash }) => {
    const spelling = [...symbol].map((letter, at) => (cases[at] ? letter.toUpperCase() : letter.toLowerCase())).join('')
    const path = `/price/${spelling}${slash}?${[...noise, selection, ...after].join('&')}`
    return { path, key: `/price/${symbol}${toQuery(network)}` }
  })

test('all spellings of a request for one price are one cache key: symbol, network, other parameters, slash', () => {
  expect(selectedFeeds.map(({ symbol }) => symbol)).toContain('labTSLA')
  fc.assert(
    fc.property(requests, ({ path, key }) => {
      expect(keyOf(path)).toBe(key)
      // A canonical request stays as it is.
      expect(keyOf(key)).toBe(key)
    }),
    toRuns(500),
  )
})

test.each([
  ['/price', '/price'],
  ['/price/?network=', '/price'],
  ['/price?network=testnet&x=1', '/price?network=testnet'],
  ['/price?network=mainnet&network=testnet', '/price?network=testnet'],
  ['/price?network=testnet&network=mainnet', '/price'],
  ['/?network=testnet&utm=1', '/'],
  ['/openapi.json?x', '/openapi.json'],
  ['/docs/?network=testnet', '/docs'],
])('%s becomes %s', (path, key) => {
  expect(keyOf(path)).toBe(key)
  expect(keyOf(path, 'HEAD')).toBe(key)
})

test.each([
  ['GET', '/price/NONE', 404],
  ['GET', `/price/${onlyOn('testnet')}`, 404],
  ['GET', `/price/${onlyOn('mainnet')}?network=testnet`, 404],
  ['GET', '/price/%43RWD', 404],
  ['GET', '/price/constructor', 404],
  ['GET', '/price?network=other', 400],
  ['GET', '/price/NONE?network=%', 400],
  ['GET', '/price?network=toString', 400],
  ['GET', '/price?x=1;network=testnet', 400],
  ['GET', '/price?x=1&y=2&y=;network=testnet', 400],
  ['GET', '/price/CRWD?%6eetwork=testnet', 400],
  ['GET', '/price/CRWD?network=%2574estnet', 400],
  ['GET', '/prices?x=1', 404],
  ['GET', '/price/CRWD/more?x', 404],
  ['GET', '/price//', 404],
  ['GET', '/%70rice/NFLX', 404],
  ['GET', '/price/./NFLX', 404],
  ['GET', '/docs/../price/NFLX', 404],
  ['GET', '//price/NFLX', 404],
  ['GET', '/price/..', 404],
  ['GET', '/price?network=testnet&network=other', 400],
  ['POST', '/price', 404],
  ['PUT', '/price', 404],
  ['PATCH', '/price', 404],
  ['DELETE', '/price', 404],
])('the function itself responds to %s %s with the documented problem %i', (method, path, status) => {
  const { statusCode, headers: values, body } = run(path, method) as Response
  expect(statusCode).toBe(status)
  const headers = Object.fromEntries(Object.entries(values).map(([name, { value }]) => [name, value]))
  expectDocumented({ method, path, status, headers, text: body.data })
})

test('a preflight of any price goes to the origin', () => {
  expect(keyOf('/price/NONE?network=x', 'OPTIONS')).toBe('/price/NONE')
  expect(keyOf('/price/NONE?x;network=x', 'OPTIONS')).toBe('/price/NONE')
})

test.each([
  [`/price/${onlyOn('testnet').toLowerCase()}`, 'mainnet', toHint('testnet', onlyOn('testnet'))],
  [`/price/${onlyOn('mainnet').toLowerCase()}?network=testnet`, 'testnet', toHint('mainnet', onlyOn('mainnet'))],
  ['/price/none', 'mainnet', ''],
] as const)('for %s the function has the problem that the service has', (path, network, hints) => {
  const result = run(path)
  expect('body' in result && JSON.parse(result.body.data)).toEqual(toUnknownSymbol(network, hints).document)
})
