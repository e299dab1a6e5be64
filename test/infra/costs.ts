import { readFileSync } from 'node:fs'
import type { Template } from 'aws-cdk-lib/assertions'
import { readOpenApiDocument } from '../../infra/api/openapi-document.ts'
import { environments } from '../../infra/environments.ts'
import { memoryMb } from '../../infra/functions/route-function.ts'
import { networks } from '../../lambda/networks.ts'
import { freshMs } from '../../lambda/timing.ts'
import { allOf } from './synthesise.ts'

const prices: Record<string, { readonly usd: number }> = JSON.parse(readFileSync('docs/prices.json', 'utf8'))
const usd = (name: string) => prices[name]?.usd ?? Number.NaN
const each = (name: string) => usd(name) / 1_000_000
const byte = (name: string) => usd(name) / 1_000_000_000

/**
 * The registry of November 2026, for which docs/scale.md and docs/operations.md state figures: feeds, and spellings of their
 * symbols, two of each letter.
 */
export const registered = { mainnet: { feeds: 21, spellings: 246 }, testnet: { feeds: 6, spellings: 200 } }

/** The cache keys of all spellings of symbols and networks: the mainnet is `mainnet` or absent. */
export const spellings = 2 * (1 + registered.mainnet.spellings) + 1 + registered.testnet.spellings

/** Measured: bytes of the body of each path, and of headers. */
const bodies = { '/': 43_000, '/docs': 66_000, '/openapi.json': 38_000, '/price': 15_700, '/price/{symbol}': 673 }
const headers = 363
/** Assumed: bytes of a line of the access log, bytes of all lines of an invocation, and its billed seconds. */
const assumed = { accessLine: 450, functionLines: 1_300, seconds: 0.06, compression: 0.15 }
/** Those of two networks (rpcMs, headAgeSeconds, firstEndpointFaults), and the outcome `ok`. */
const metricsWithValues = 2 * 3 + 1

const hours = 730
const { logRetentionDays } = environments.prod
const invocation = each('functionMillion') + assumed.seconds * (memoryMb / 1_024) * usd('functionGbSecond')
/** A byte of a log: written, and stored until the end of its retention. */
const logByte = byte('logGb') + (logRetentionDays / 365) * 12 * assumed.compression * byte('storedLogGb')

/** What a miss of the cache costs more than a hit, and the list more than one price. */
export const miss = invocation + assumed.functionLines * logByte
export const listSurcharge = (bodies['/price'] - bodies['/price/{symbol}']) * byte('dataOutGb')
export const cacheMonth = hours * usd('cacheHour')

/** A run of the probe: the description, a list and a price of each network, and some 2 s of a function of 512 MB. */
const probeRun =
  each('functionMillion') +
  usd('functionGbSecond') +
  each('apiMillion') +
  (readOpenApiDocument().length + headers) * byte('dataOutGb') +
  networks.length *
    (listSurcharge + 2 * (each('apiMillion') + miss + (bodies['/price/{symbol}'] + headers) * byte('dataOutGb')))

/** Keys of the cache in their usual spelling: every price, and the list of each network. */
export const keys = registered.mainnet.feeds + 1 + registered.testnet.feeds + 1

/** Calculates the costs of a month. All requests are for one price, and each key misses the cache every 10 s at most. */
export function toMonth(template: Template, requests: number): Record<string, number> {
  const alarmMetrics = allOf(template, 'CloudWatch::Alarm').flatMap(({ Metrics = [{ MetricStat: {} }] }) =>
    Object(Metrics).filter((metric: object) => 'MetricStat' in metric),
  ).length
  const [{ SamplingRule } = {}] = allOf(template, 'XRay::SamplingRule')
  const misses = Math.min(requests, (keys * hours * 3_600_000) / freshMs)
  return {
    'cache, 0.5 GB': cacheMonth,
    [`alarms on ${alarmMetrics} metrics`]: alarmMetrics * usd('alarmMetric'),
    dashboard: usd('dashboard'),
    // Without callers too: the probe reads both networks, and a metric is billed for each hour with a value.
    [`${metricsWithValues} metrics of the logs`]: metricsWithValues * usd('metric'),
    'API requests': requests * each('apiMillion'),
    'data out': requests * (bodies['/price/{symbol}'] + headers) * byte('dataOutGb'),
    functions: misses * invocation,
    'logs, stored for a year': (requests * assumed.accessLine + misses * assumed.functionLines) * logByte,
    'traces of 5 %': Object(SamplingRule).FixedRate * requests * each('traceMillion'),
    'rate rule': usd('webAcl') + usd('webAclRule') + requests * each('webAclMillion'),
    'probe every five minutes': 12 * hours * probeRun,
  }
}

/** A method of the API, and what one of its requests costs an attacked service. */
interface Attacked {
  readonly isRead: boolean
  readonly cost: number
}

const paths: Record<string, keyof typeof bodies> = {
  '<Api.RootResourceId>': '/',
  '<Apidocs>': '/docs',
  '<Apiopenapijson>': '/openapi.json',
  '<Apiprice>': '/price',
  '<Apipricesymbol>': '/price/{symbol}',
}

/** Calculates the costs of a request of each method, without a hit of the cache. */
export function toAttacked(template: Template, tracedShare: number): readonly Attacked[] {
  const isInspected = allOf(template, 'WAFv2::WebACL').length > 0
  return allOf(template, 'ApiGateway::Method').map(({ HttpMethod, ResourceId, Integration }) => {
    const isProxy = Object(Integration).Type === 'AWS_PROXY'
    const path = paths[String(ResourceId)]
    const body = HttpMethod === 'GET' ? (path === undefined ? Number.NaN : bodies[path]) : 0
    const cost =
      each('apiMillion') +
      tracedShare * each('traceMillion') +
      (isInspected ? each('webAclMillion') : 0) +
      (isProxy ? miss : 0) +
      assumed.accessLine * logByte +
      (body + headers) * byte('dataOutGb')
    return { isRead: isProxy && HttpMethod === 'GET', cost }
  })
}

/** The costs of a request that the rate rule refuses with 429, with a body of some 250 bytes. */
export const refusal = each('webAclMillion') + assumed.accessLine * logByte + (headers + 250) * byte('dataOutGb')

/** The costs of a request that the rate rule looks at. */
export const inspection = each('webAclMillion')

/** CloudFront's additional metrics of a distribution, each billed as one of ours. */
const edgeMetrics = 8

/** The costs of an edge: of a month (metrics, alarms on five of them, secret, web ACL of the API), of a request for one price, and of the rate rule. */
export const edge = {
  month: edgeMetrics * usd('metric') + 5 * usd('alarmMetric') + usd('secretMonth') + usd('webAcl') + usd('webAclRule'),
  request:
    each('edgeMillion') + each('edgeFunctionMillion') + (bodies['/price/{symbol}'] + headers) * byte('edgeOutGb'),
}
