import registry from '../lambda/feeds/registry.json' with { type: 'json' }
import { startContestant, type Way } from './contestant.ts'
import type { Section } from './report.ts'
import { events, type Scene } from './scene.ts'

/** The requests to the node that one answer takes, by method. */
export type Requests = Readonly<Record<string, number>>

/** Every way to learn what one feed says, and what all do, that is measured beside the service. */
export function waysOf({ getPrice, listPrices }: Scene): readonly [name: string, record: Way, list: Way][] {
  const all = registry.mainnet.map(({ address }) => address)
  const one = registry.mainnet.filter(({ symbol }) => symbol === 'CRWD').map(({ address }) => address)
  return [
    [
      'Price Lookup',
      { kind: 'deployed', bundle: getPrice.file, event: events.getPrice },
      { kind: 'deployed', bundle: listPrices.file, event: events.listPrices },
    ],
    ['usual way, viem', { kind: 'viem', feeds: one }, { kind: 'viem', feeds: all }],
    [
      'viem, told to use multicall',
      { kind: 'viem with multicall', feeds: one },
      { kind: 'viem with multicall', feeds: all },
    ],
  ]
}

/** Counts the HTTP requests that the node gets for one answer of one way, once it is warm. */
export async function countRequests(scene: Scene, way: Way): Promise<Requests> {
  const contestant = startContestant(way, scene.farSide, 0)
  await contestant.ask({ times: 1 })
  await scene.farSide.takeRequests()
  await contestant.ask({ times: 1 })
  const methods = await scene.farSide.takeRequests()
  await contestant.stop()
  return Object.fromEntries(
    Object.entries(Object.groupBy(methods, method => method)).map(([method, some = []]) => [method, some.length]),
  )
}

/** Counts the requests that a record and the list take, by each way. */
export async function measureRoundTrips(scene: Scene): Promise<Section> {
  const rows: string[][] = []
  for (const [name, record, list] of waysOf(scene)) {
    rows.push([name, format(await countRequests(scene, record)), format(await countRequests(scene, list))])
  }
  return {
    title: 'Round trips',
    tables: [{ columns: ['HTTP requests to the node', 'one record', `list of ${registry.mainnet.length}`], rows }],
    notes: [
      'Counted at a proxy before the node, warm. Everything that the service says is of one block; what viem says may be of up to as many blocks as it made requests.',
      "viem's `getBlockNumber` joins calls that are made at once, even where it must not remember: so the list takes 43 and not 3 x 21 = 63, which is what 21 pages that ask for themselves take.",
    ],
  }
}

function format(requests: Requests): string {
  const total = Object.values(requests).reduce((sum, count) => sum + count, 0)
  return `${total} (${Object.entries(requests)
    .map(([method, count]) => `${count} ${method}`)
    .join(', ')})`
}
