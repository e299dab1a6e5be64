import { bundle, withRegistry } from './bundle.ts'
import { startContestant } from './contestant.ts'
import { measureGas } from './gas.ts'
import { formatSpread, toSpread } from './quantiles.ts'
import { proveWhole } from './records.ts'
import { formatCount, type Section } from './report.ts'
import { events, type Scene, toRegistry } from './scene.ts'

const counts = [21, 100, 200, 500, 1_000]
const times = 30
const warmUp = 30

/** The most that a stage keeps of one answer's body, and that Lambda takes of a function's whole result, as JSON. */
const [cacheBytes, lambdaBytes] = [1_048_576, 6_291_556]

interface List {
  readonly count: number
  readonly row: readonly string[]
  readonly bodyBytes: number
  /** The body as a string within JSON, beside status and headers. */
  readonly resultBytes: number
}

/** Measures the list as it grows, and what its one call costs in gas. */
export async function measureGrowth(scene: Scene): Promise<Section> {
  const lists: List[] = []
  for (const count of counts) lists.push(await measureList(scene, count))
  const kept = most(lists, 'bodyBytes', cacheBytes)
  const given = most(lists, 'resultBytes', lambdaBytes)
  const gas = await measureGas(scene)
  return {
    title: 'Growth',
    tables: [
      {
        columns: ['feeds', 'requests', 'ms, node at 0 ms', 'ms, node at 20 ms', 'bytes', 'heap MB'],
        rows: lists.map(({ row }) => row),
      },
      gas.table,
    ],
    notes: [
      'The deployed list, bundled with another registry, warm; every answer had every feed as a record. Milliseconds: median (quartiles). Bytes of the body. Heap after a garbage collection.',
      `A feed takes ${formatCount(kept.perFeed)} bytes of the body: a stage keeps answers up to some ${formatHundreds(kept.feeds)} feeds (1 MiB). It takes ${formatCount(given.perFeed)} of what a function gives to Lambda, where the body is a string within JSON: some ${formatHundreds(given.feeds)} feeds (6 MiB). More feeds than that want pages.`,
      ...gas.notes,
    ],
  }
}

/** Finds how many feeds stay below a limit, by the sizes of the shortest and the longest list. */
function most(lists: readonly List[], size: 'bodyBytes' | 'resultBytes', limit: number) {
  const [first, last] = [lists[0], lists.at(-1)]
  if (first === undefined || last === undefined) throw new Error('Nothing was measured.')
  const perFeed = (last[size] - first[size]) / (last.count - first.count)
  const fixed = first[size] - first.count * perFeed
  return { perFeed, feeds: Math.floor((limit - fixed) / perFeed) }
}

function formatHundreds(count: number): string {
  return formatCount(Math.floor(count / 100) * 100)
}

async function measureList(scene: Scene, count: number): Promise<List> {
  const { farSide, folder } = scene
  const changes = withRegistry(toRegistry(count))
  const { file } = await bundle('lambda/handlers/list-prices.ts', folder, `list-${count}`, changes)
  const way = { kind: 'deployed', bundle: file, event: events.listPrices } as const
  const nearby = startContestant(way, farSide, 0, { nodeOptions: ['--expose-gc'] })
  await nearby.ask({ times: warmUp })
  await farSide.takeRequests()
  await nearby.ask({ times: 1 })
  const requests = (await farSide.takeRequests()).length
  const near = await nearby.ask({ times })
  await nearby.stop()
  const away = startContestant(way, farSide, 20)
  await away.ask({ times: 10 })
  const far = await away.ask({ times: 15 })
  await away.stop()
  const whole = startContestant({ ...way, kind: 'whole result' }, farSide, 0)
  const { answer: result } = await whole.ask({ times: 1 })
  await whole.stop()
  for (const { leastRecords } of [near, far]) proveWhole(leastRecords, count)
  const [bodyBytes, resultBytes] = [Buffer.byteLength(near.answer), Buffer.byteLength(result)]
  const took = [near, far].map(({ tookMs }) => formatSpread(toSpread(tookMs), 1))
  const heapMb = (near.heapBytes / 2 ** 20).toFixed(1)
  return {
    count,
    bodyBytes,
    resultBytes,
    row: [formatCount(count), `${requests}`, ...took, formatCount(bodyBytes), heapMb],
  }
}
