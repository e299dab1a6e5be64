import { formatCount, type Section } from './report.ts'
import { countRequests, type Requests, waysOf } from './round-trips.ts'
import type { Scene } from './scene.ts'

/** Assumed: what a common provider's price list counts for a method, in its compute units. */
const credits: Requests = { eth_call: 26, eth_blockNumber: 10 }

const [views, ttlSeconds, secondsAMonth] = [1_000, 10, 730 * 3_600]

/** Of docs/operations.md, in dollars for a million requests: what every request costs, and what a miss of the cache adds. */
const aws = { every: 4.07, miss: 1.65, listEvery: 1.29, cacheAMonth: 14.6 }

/** Works out what page views cost, from the requests as they are counted. */
export async function measureCost(scene: Scene): Promise<Section> {
  const rows: string[][] = []
  for (const [name, record, list] of waysOf(scene)) {
    const counted = [await countRequests(scene, record), await countRequests(scene, list)]
    rows.push([
      name,
      ...counted.flatMap(requests => [views * total(requests), views * creditsOf(requests)].map(formatCount)),
    ])
    if (rows.length === 1) {
      const cached = counted.flatMap(requests => [total(requests), creditsOf(requests)].map(formatCount))
      rows.push(['… with the cache, all within 10 s', ...cached])
    }
  }
  const most = secondsAMonth / ttlSeconds
  return {
    title: 'Cost',
    tables: [
      {
        columns: ['a thousand page views', 'record: requests', 'credits', 'list: requests', 'credits'],
        rows,
      },
      {
        columns: ['AWS, $ a million views', 'record', 'list'],
        rows: [
          ['every view misses the cache, or there is none', ...toDollars(1)],
          ['one view in ten misses', ...toDollars(0.1)],
          ['one view in a hundred misses', ...toDollars(0.01)],
        ],
      },
    ],
    notes: [
      `Requests are counted as above. Credits are an assumption: ${Object.entries(credits)
        .map(([method, units]) => `${units} for ${method}`)
        .join(', ')}, as common price lists of compute units have it.`,
      `With the cache the node is asked once in ${ttlSeconds} s for what is asked for at all, however many ask: at the most ${formatCount(most)} times a month for each record or list.`,
      `AWS's prices and sizes are those of docs/operations.md. The cache itself is $${aws.cacheAMonth.toFixed(2)} a month: it pays for itself in AWS's own prices beyond ${formatCount((aws.cacheAMonth / aws.miss) * 1e6)} hits a month, and with any provider's credits sooner.`,
    ],
  }
}

function total(requests: Requests): number {
  return Object.values(requests).reduce((sum, count) => sum + count, 0)
}

function creditsOf(requests: Requests): number {
  return Object.entries(requests).reduce((sum, [method, count]) => sum + count * (credits[method] ?? Number.NaN), 0)
}

function toDollars(misses: number): string[] {
  const record = aws.every + aws.miss * misses
  return [record, record + aws.listEvery].map(dollars => dollars.toFixed(2))
}
