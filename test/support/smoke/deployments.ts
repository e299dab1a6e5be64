import { feedsOf } from '../../../lambda/feeds/registry.ts'
import { networks } from '../../../lambda/networks.ts'
import type { Caching } from '../../../smoke/cache.ts'
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

/** A deployment, and the checks that fail on it. */
export interface Deployment {
  /** What the run expects; `stage` by default. */
  readonly caching?: Caching
  /** How the cache behaves. */
  readonly cache?: CacheOptions
  /** Alters replies before the cache stores them. */
  readonly alter?: Alter
  readonly fails: readonly string[]
}

const firstSymbol = feedsOf('mainnet')[0]?.symbol ?? ''
const firstPath = `/price/${firstSymbol}`
const answered = 'every request is answered, for any origin'
const described = 'replies match openapi.json'
const lists = 'GET /price lists the feeds'

/** Those that the probe notices, whose checks are part of every run. It asks for the first feed. */
export const probed: Readonly<Record<string, Deployment>> = {
  'our service that throttles for a moment': { alter: first(firstPath, toThrottled), fails: [] },
  'a service without CORS': { alter: success(setHeader('access-control-allow-origin')), fails: [answered, described] },
  'a service that sends old prices': {
    alter: at(firstPath, setHeader('date', new Date(Date.now() + 3_600_000).toUTCString())),
    fails: ['a success is at most 10 s old and expires 10 s after its read'],
  },
  'a service that rounds multipliers': {
    alter: reply => ({
      ...reply,
      text: reply.text.replace(/"multiplier":([\d.]+)/g, (_, digits) => `"multiplier":${Number(digits)}`),
    }),
    fails: ['mainnet: numbers are exact'],
  },
  'a service that rounds a price': {
    alter: replace('"price":48.0234,', '"price":48.02,'),
    fails: ['mainnet: numbers are exact'],
  },
  'a service with fields in another order': {
    alter: replace(/("observedAt":\d+),("observedAtIso":"[^"]+")/, '$2,$1'),
    fails: networks.map(network => `${network}: records are in order and consistent`),
  },
  'a service whose list is of two blocks': {
    alter: at('/price', replace(/(.*)"block":/s, '$1"block":1')),
    fails: [`mainnet: ${lists}`],
  },
  'a service whose list is not sorted': {
    alter: at('/price', replace(/(\{"symbol":"AAPL".*?),(\{"symbol":"AMC".*?),(?=\{"symbol")/, '$2,$1,')),
    fails: [`mainnet: ${lists}`],
  },
  'a service whose list has other URLs': {
    alter: success(replace(/\/v1\/price\//g, '/v2/price/')),
    fails: networks.map(network => `${network}: ${lists}`),
  },
  'a service with another token in the list': {
    alter: at('/price', replace(/0x\w{40}/g, '0x0000000000000000000000000000000000000001')),
    fails: ['mainnet: feeds answer at their URLs'],
  },
  'a service that answers for another feed': {
    alter: at(firstPath, replace(`"symbol":"${firstSymbol}"`, '"symbol":"NFLX"')),
    fails: ['mainnet: feeds answer at their URLs'],
  },
  'a service whose testnet is away': {
    alter: (reply, { path }) => (path.includes('network=testnet') ? toUnavailable() : reply),
    fails: [`testnet: ${lists}`],
  },
  'a description without the networks': {
    alter: at('/openapi.json', replace(`,"enum":${JSON.stringify(networks)}`, '')),
    fails: ['openapi.json names the networks'],
  },
  'a description with an empty schema': {
    alter: at('/openapi.json', replace('"schema":{"$ref":"#/components/schemas/PriceRecord"}', '"schema":{}')),
    fails: ['openapi.json rejects altered replies'],
  },
}

/** A symbol spelled as in the checks of the cache. */
const isOdd = (place: string) => /[a-z]/.test(place.slice('/price/'.length))

/** Those that only a whole run notices. */
export const deployments: Readonly<Record<string, Deployment>> = {
  'our service without a cache': { caching: 'none', cache: { ttlMs: 0 }, fails: [] },
  'a service with the 403 of API Gateway': {
    alter: at('/prices', reply => ({ ...reply, status: 403 })),
    fails: ['an unknown path is 404', described],
  },
  'a service without HEAD': {
    alter: (reply, { method }) => (method === 'HEAD' ? toProblem(404, 'unknown-route', 'Unknown route')() : reply),
    fails: ['HEAD is answered like GET', described],
  },
  'a service whose preflights fail with a body': {
    alter: reply => (reply.status === 415 ? { ...reply, status: 500 } : reply),
    fails: ['a preflight with a body is 204 or 415', described],
  },
  'a board whose script lost a reference to Velocity': {
    alter: at('/', replace('${', '')),
    fails: ['the pages run only their own script and style'],
  },
  'a service that chooses documents by Accept': {
    alter: (reply, { path, accept }) =>
      path === '/openapi.json' && accept === 'text/html' ? setHeader('content-type', accept)(reply) : reply,
    fails: [described],
  },
  'a service that refuses an empty network': {
    alter: (reply, { path }) =>
      path.endsWith('network=') ? toProblem(400, 'unknown-network', 'Unknown network')() : reply,
    fails: ['an empty network is the default', described],
  },
  'a service that does not take a trailing slash': {
    alter: (reply, { path }) =>
      /^\/price\/.*\/(\?|$)/.test(path) ? toProblem(404, 'unknown-symbol', 'Unknown symbol')() : reply,
    fails: ['a trailing slash changes nothing', described],
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
    caching: 'none',
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
  'a service with one failure': {
    alter: first('/price/HIMS', toUnavailable),
    fails: ['mainnet: feeds answer at their URLs'],
  },
}
