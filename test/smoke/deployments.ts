import {
  type Alter,
  at,
  first,
  replace,
  setHeader,
  success,
  toProblem,
  toThrottled,
  toUnavailable,
} from './altering-proxy.ts'
import type { CacheOptions } from './clock.ts'

/** A deployment that differs from ours, and the checks that fail on it. */
export interface Deployment {
  /** Whether the run expects a cache; true by default. */
  readonly caches?: false
  readonly cache?: CacheOptions
  /** Alters answers before the cache stores them. */
  readonly alter?: Alter
  readonly keepsUrls?: true
  readonly fails: readonly string[]
}

const pages = 'the pages run only their own script and style'
const loose = 'openapi.json rejects altered answers'
const described = 'answers match openapi.json'

/** A symbol spelled as in the checks of the cache. */
const isOdd = (place: string) => /[a-z]/.test(place.slice('/price/'.length))

/** By what they are. */
export const deployments: Readonly<Record<string, Deployment>> = {
  'our service': { fails: [] },
  'our service that throttles for a moment': { alter: first('/price/HIMS', toThrottled), fails: [] },
  'our service without a cache': { caches: false, cache: { ttlMs: 0 }, fails: [] },
  'a service without CORS': {
    alter: success(setHeader('access-control-allow-origin')),
    fails: ['any origin may read every answer'],
  },
  'a service that allows credentials': {
    alter: success(setHeader('access-control-allow-credentials', 'true')),
    fails: ['any origin may read every answer'],
  },
  'a service with max-age': {
    alter: success(setHeader('cache-control', 'public, must-revalidate, stale-if-error=0, max-age=10')),
    fails: ['a success expires 10 s after its read'],
  },
  'a service without Expires': {
    alter: at('/price/HIMS', setHeader('expires')),
    fails: ['a success expires 10 s after its read'],
  },
  'a service that sends old answers': {
    alter: at('/price/HIMS', setHeader('date', new Date(Date.now() + 3_600_000).toUTCString())),
    fails: ['an answer is at most 10 s old when it is sent'],
  },
  'a service whose problems may be stored': {
    alter: answer => (answer.status === 400 ? setHeader('cache-control', 'public')(answer) : answer),
    fails: ['a problem is not stored'],
  },
  'a service that rounds multipliers': {
    alter: answer => ({
      ...answer,
      text: answer.text.replace(/"multiplier":([\d.]+)/g, (_, digits) => `"multiplier":${Number(digits)}`),
    }),
    fails: ['mainnet: numbers are exact'],
  },
  'a service that rounds a price': {
    alter: replace('"price":48.0234,', '"price":48.02,'),
    fails: ['mainnet: numbers are exact'],
  },
  'a service with fields in another order': {
    alter: replace(/("observedAt":\d+),("observedAtIso":"[^"]+")/, '$2,$1'),
    fails: ['mainnet: records are in order and consistent', 'testnet: records are in order and consistent'],
  },
  'a service whose list is of two blocks': {
    alter: at('/price', replace(/(.*)"block":/s, '$1"block":1')),
    fails: ['mainnet: GET /price lists the feeds'],
  },
  'a service whose list is not sorted': {
    alter: at('/price', replace(/(\{"symbol":"AAPL".*?),(\{"symbol":"AMC".*?),(?=\{"symbol")/, '$2,$1,')),
    fails: ['mainnet: GET /price lists the feeds'],
  },
  'a service with another token in the list': {
    alter: at('/price', replace(/0x\w{40}/g, '0x0000000000000000000000000000000000000001')),
    fails: ['mainnet: feeds answer at their URLs'],
  },
  'a service whose price is not JSON': {
    alter: at('/price/HIMS', setHeader('content-type', 'text/html')),
    fails: [described],
  },
  'a service with the 403 of API Gateway': {
    alter: at('/prices', answer => ({ ...answer, status: 403 })),
    fails: ['an unknown path is 404'],
  },
  'a service without HEAD': {
    alter: (answer, { method }) => (method === 'HEAD' ? toProblem(404, 'unknown-route', 'Unknown route')() : answer),
    fails: ['HEAD is answered like GET'],
  },
  'a service with other types of problems': {
    alter: answer =>
      answer.headers['content-type'] === 'application/problem+json' ? replace('price-lookup', 'other')(answer) : answer,
    fails: [
      ...['an unknown symbol is 404', 'an unknown network is 400', 'an unknown path is 404'],
      ...['an unknown method is 404', described],
    ],
  },
  'a service that allows no header': {
    alter: setHeader('access-control-allow-headers'),
    fails: ['a preflight is 204'],
  },
  'a service whose preflights fail with a body': {
    alter: answer => (answer.status === 415 ? { ...answer, status: 500 } : answer),
    fails: ['a preflight with a body is 204 or 415'],
  },
  'a board whose script lost a reference to Velocity': { alter: at('/', replace('${', '')), fails: [pages] },
  'a board with a script from elsewhere': {
    alter: at('/', replace('</body>', '<script src="//evil.example/x.js"></script></body>')),
    fails: [pages],
  },
  'a reference with another policy': { alter: at('/docs', replace('<style>', '<style> ')), fails: [pages] },
  'a board without a policy': { alter: at('/', setHeader('content-security-policy')), fails: [pages] },
  'a service that chooses documents by Accept': {
    alter: (answer, { path, accept }) => {
      if (path === '/' && accept === 'application/json') return replace('<style>', '<style> ')(answer)
      return path === '/openapi.json' && accept === 'text/html' ? setHeader('content-type', accept)(answer) : answer
    },
    fails: [pages, 'openapi.json does not depend on Accept', described],
  },
  'a description of another path': {
    alter: at('/openapi.json', replace('"/price/{symbol}":', '"/price/{ticker}":')),
    fails: ['openapi.json describes every path', described],
  },
  'a description without the networks': {
    alter: at('/openapi.json', replace(',"enum":["mainnet","testnet"]', '')),
    fails: ['openapi.json names the networks'],
  },
  'a description with an empty schema': {
    alter: at('/openapi.json', replace('"schema":{"$ref":"#/components/schemas/PriceRecord"}', '"schema":{}')),
    fails: [loose],
  },
  'a service whose list has other URLs': {
    keepsUrls: true,
    fails: ['mainnet: URLs in the list lead to the feeds', 'testnet: URLs in the list lead to the feeds'],
  },
  'a service whose testnet is away': {
    alter: (answer, { path }) => (path.includes('network=testnet') ? toUnavailable() : answer),
    fails: ['testnet: GET /price lists the feeds', 'an unknown symbol is 404'],
  },
  'a service that refuses an empty network': {
    alter: (answer, { path }) =>
      path.endsWith('network=') ? toProblem(400, 'unknown-network', 'Unknown network')() : answer,
    fails: ['an empty network is the default'],
  },
  'a service that does not take a trailing slash': {
    alter: (answer, { path }) =>
      /^\/price\/.*\/(\?|$)/.test(path) ? toProblem(404, 'unknown-symbol', 'Unknown symbol')() : answer,
    fails: ['a trailing slash changes nothing'],
  },
  'a cache of 30 seconds': {
    cache: { ttlMs: 30_000 },
    fails: ['GET /price/{symbol} is read again after 10 s', 'GET /price is read again after 10 s'],
  },
  'a cache that does not store': {
    cache: { ttlMs: 0 },
    fails: ['GET /price/{symbol} asked twice is one read', 'GET /price asked twice is one read'],
  },
  'a cache that is not expected': {
    caches: false,
    fails: ['GET /price/{symbol} asked twice is two reads', 'GET /price asked twice is two reads'],
  },
  'a cache without the network in its key': {
    cache: { toKey: (place, networks) => (isOdd(place) ? place : `${place} ${networks.at(-1)}`) },
    fails: [
      'the cache keys on the network',
      'an empty network is the default',
      'of repeated networks the last counts',
      'no caller can store an error for others',
      'a trailing slash changes nothing',
    ],
  },
  'a cache with the first network in its key': {
    cache: { toKey: (place, networks) => `${place} ${networks[1]}` },
    fails: ['of repeated networks the last counts', 'no caller can store an error for others'],
  },
  'a cache that mixes symbols': {
    alter: first('/price/AAPL', replace('"symbol":"AAPL"', '"symbol":"NFLX"')),
    fails: ['mainnet: feeds answer at their URLs'],
  },
  'a cache that stores a failure': {
    alter: first('/price/HIMS', toUnavailable),
    fails: ['mainnet: feeds answer at their URLs', 'a failure is not cached for other callers'],
  },
}
