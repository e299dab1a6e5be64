import prices from '../docs/prices.json' with { type: 'json' }
import { formatCount, formatSection, type Section } from './document.ts'
import { addOutcomes, type Cache, createRandom, type Outcome, simulateKey, toAge } from './simulation.ts'

/** A way to serve the API. */
interface Design {
  readonly name: string
  readonly cache: Cache
  /** Whether as many requests again come from a caller who uses every spelling. */
  readonly isAttacked: boolean
  /** Whether CloudFront answers, and API Gateway only what it does not have. */
  readonly hasEdge: boolean
}

const stage = { cache: { ttlSeconds: 10, mergesMisses: false }, hasEdge: false } as const
const edge = { cache: { ttlSeconds: 10, mergesMisses: true }, hasEdge: true } as const
const designs: readonly Design[] = [
  { name: 'stage', ...stage, isAttacked: false },
  { name: 'stage, attacked', ...stage, isAttacked: true },
  { name: 'edge', ...edge, isAttacked: false },
  { name: 'edge, attacked', ...edge, isAttacked: true },
]

const rates = [10, 100, 1_000, 10_000, 100_000]

/** Limits of one row. */
const maxArrivals = 2_000_000
const maxSeconds = 3_600

// Assumed traffic: of ten requests, two are for a list; of a hundred, five are for the testnet.
const listShare = 0.2
/**
 * The registry of November 2026, for which docs/scale.md and docs/operations.md state figures: feeds, spellings of their symbols
 * (two of each letter), and the assumed share of the requests.
 */
export const registered = {
  mainnet: { feeds: 21, spellings: 246, share: 0.95 },
  testnet: { feeds: 6, spellings: 200, share: 0.05 },
}

/** Assumed time of a read: the median, and the standard deviation of the logarithm. One read in a hundred takes 0.3 s. */
const readTime = { medianSeconds: 0.06, sigma: 0.69 }

/** Simulates what stands before the functions, from 10 to 100,000 requests per second. */
export function simulateScale(): Section {
  const rows = rates.flatMap(rate => designs.map(design => toRow(rate, design)))
  const columns = [
    'requests/s',
    'design',
    'origin/s',
    'RPC/s',
    'functions, mean',
    'most of a key',
    'age p50',
    'p99',
    '$ a month',
  ]
  return {
    title: 'Scale',
    tables: [{ columns, rows }],
    notes: [
      '"origin/s" is what API Gateway gets, "RPC/s" what the RPC provider gets. "functions" are reads of the chain at once: on average over all keys, and at most for one key. Ages are seconds since the read.',
      `Assumed: Poisson arrivals; ${100 * listShare} % for the lists, the others for symbols by Zipf's law, ${100 * registered.testnet.share} % for the testnet; reads take ${readTime.medianSeconds} s in the median and 0.3 s once in a hundred. An attacker doubles the requests and spreads them evenly over ${formatCount(spellings)} spellings.`,
      'List prices of docs/prices.json without volume discounts, alarms and logs of the edge.',
    ],
  }
}

/** Simulates all keys of a design. */
export function simulate(rate: number, { cache, isAttacked, hasEdge }: Design): Outcome {
  const random = createRandom(1)
  const seconds = Math.min(maxSeconds, maxArrivals / rate)
  const canonical = toKeyRates(isAttacked && hasEdge ? 2 * rate : rate)
  // At the edge, every spelling is the same key.
  const others = isAttacked && !hasEdge ? new Array<number>(spellings).fill(rate / spellings) : []
  const keys = [...canonical, ...others]
  return addOutcomes(keys.map(keyRate => simulateKey(keyRate, cache, seconds, random, () => toReadSeconds(random))))
}

/** The rates of the canonical keys: two lists, and every feed by Zipf's law. */
function toKeyRates(rate: number): readonly number[] {
  return Object.values(registered).flatMap(({ feeds, share }) => {
    const ofNetwork = rate * share
    const weights = Array.from({ length: feeds }, (_, rank) => 1 / (rank + 1))
    const sum = weights.reduce((total, weight) => total + weight, 0)
    return [ofNetwork * listShare, ...weights.map(weight => (ofNetwork * (1 - listShare) * weight) / sum)]
  })
}

/** The cache keys of all spellings of symbols and networks: the mainnet is `mainnet` or absent. */
export const spellings = 2 * (1 + registered.mainnet.spellings) + 1 + registered.testnet.spellings

/** Draws from a log-normal distribution (Box-Muller). */
function toReadSeconds(random: () => number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return readTime.medianSeconds * Math.exp(readTime.sigma * normal)
}

function toRow(rate: number, design: Design): readonly string[] {
  const outcome = simulate(rate, design)
  const { seconds, requests, reads, readSeconds, peakReads } = outcome
  const all = requests / seconds
  const readsPerSecond = reads / seconds
  return [
    formatCount(rate),
    design.name,
    formatCount(design.hasEdge ? readsPerSecond : all),
    readsPerSecond.toFixed(1),
    (readSeconds / seconds).toFixed(1),
    formatCount(peakReads),
    toAge(outcome, 0.5).toFixed(1),
    toAge(outcome, 0.99).toFixed(1),
    formatCount(toMonthlyCost(design, all, readsPerSecond, readSeconds / seconds)),
  ]
}

const hoursOfMonth = 730

/** Measured: of one price and of the list, with headers, and of the list with gzip. Assumed: of the lines in both logs. */
const bytes = { price: 1_036, list: 16_063, compressedList: 3_000, accessLog: 450, functionLog: 1_300 }

/** Each of CloudFront's regional caches asks the origin shield once where the shield asks the origin once. */
const regionalCaches = 13

/**
 * Calculates dollars a month from list prices, without volume discounts and fixed costs but the stage cache.
 *
 * @param requests per second, as are reads
 * @param busy seconds of reads per second
 */
function toMonthlyCost({ hasEdge }: Design, requests: number, reads: number, busy: number): number {
  const million = (count: number, { usd }: { readonly usd: number }) => (count / 1e6) * usd
  const gigabytes = (count: number, size: number, { usd }: { readonly usd: number }) => ((count * size) / 1e9) * usd
  const atGateway = hasEdge ? reads : requests
  const body = listShare * (hasEdge ? bytes.compressedList : bytes.list) + (1 - listShare) * bytes.price
  const perSecond = [
    million(atGateway, prices.apiMillion),
    gigabytes(atGateway, bytes.accessLog, prices.logGb),
    million(reads, prices.functionMillion),
    busy * prices.functionGbSecond.usd,
    gigabytes(reads, bytes.functionLog, prices.logGb),
    gigabytes(requests, body, hasEdge ? prices.edgeOutGb : prices.dataOutGb),
    hasEdge ? million(requests, prices.edgeMillion) + million(requests, prices.edgeFunctionMillion) : 0,
    hasEdge ? million(reads * regionalCaches, prices.edgeShieldMillion) : 0,
  ].reduce((sum, cost) => sum + cost)
  return hoursOfMonth * (3_600 * perSecond + (hasEdge ? 0 : prices.cacheHour.usd))
}

if (import.meta.main) console.log(formatSection(simulateScale()))
