import { captureCalls } from './own-calls.ts'
import { formatCount, type Section, type Table } from './report.ts'
import { countRequests, type Requests, waysOf } from './round-trips.ts'
import type { Scene } from './scene.ts'

/** Assumed: what a common provider's price list counts for a method, in its compute units. */
const credits: Requests = { eth_call: 26, eth_blockNumber: 10 }

const [views, ttlSeconds, secondsAMonth] = [1_000, 10, 730 * 3_600]

/** Of docs/operations.md, in dollars: for a million requests, and what a miss of the cache adds; for a gigabyte out; for the cache. */
const aws = { every: 4.07, miss: 1.65, gigabyte: 0.09, cacheAMonth: 14.6 }

/** Works out what page views cost, from the requests as they are counted and the answers as they are. */
export async function measureCost(scene: Scene): Promise<Section> {
  return {
    title: 'Cost',
    tables: [await toRequestTable(scene), await toDollarTable(scene)],
    notes: [
      `Requests are counted as above. Credits are an assumption: ${Object.entries(credits)
        .map(([method, units]) => `${units} for ${method}`)
        .join(', ')}, as common price lists of compute units have it.`,
      `With the cache the node is asked about once in ${ttlSeconds} s for each spelling that is asked (CRWD and crwd are two, so are no network and network=mainnet), more when several ask at the moment of expiry: the cache is best effort, and does not make them wait for one answer. What is asked for all the time comes to some ${formatCount(secondsAMonth / ttlSeconds)} times a month.`,
      `AWS's prices, and the size of a record, are those of docs/operations.md; what the list has beyond a record is measured here. The cache itself is $${aws.cacheAMonth.toFixed(2)} a month: it pays for itself in AWS's own prices beyond some ${(aws.cacheAMonth / aws.miss).toFixed(1)} million hits a month, and with any provider's credits sooner.`,
    ],
  }
}

async function toRequestTable(scene: Scene): Promise<Table> {
  const rows: string[][] = []
  for (const [name, record, list] of waysOf(scene)) {
    const counted = [await countRequests(scene, record), await countRequests(scene, list)]
    rows.push([
      name,
      ...counted.flatMap(requests => [views * total(requests), views * creditsOf(requests)].map(formatCount)),
    ])
    if (rows.length === 1) {
      const cached = counted.flatMap(requests => [total(requests), creditsOf(requests)].map(formatCount))
      rows.push(['… with the cache, when one misses', ...cached])
    }
  }
  return { columns: ['a thousand page views', 'record: requests', 'credits', 'list: requests', 'credits'], rows }
}

async function toDollarTable(scene: Scene): Promise<Table> {
  const { record, list } = await captureCalls(scene)
  const more = Buffer.byteLength(list.answer) - Buffer.byteLength(record.answer)
  // A million times the bytes, in gigabytes.
  const listEvery = (more / 1_000) * aws.gigabyte
  const toDollars = (misses: number) => {
    const every = aws.every + aws.miss * misses
    return [every, every + listEvery].map(dollars => dollars.toFixed(2))
  }
  return {
    columns: ['AWS, $ a million views', 'record', 'list'],
    rows: [
      ['every view misses the cache, or there is none', ...toDollars(1)],
      ['one view in ten misses', ...toDollars(0.1)],
      ['one view in a hundred misses', ...toDollars(0.01)],
    ],
  }
}

function total(requests: Requests): number {
  return Object.values(requests).reduce((sum, count) => sum + count, 0)
}

function creditsOf(requests: Requests): number {
  return Object.entries(requests).reduce((sum, [method, count]) => sum + count * (credits[method] ?? Number.NaN), 0)
}
