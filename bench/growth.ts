import { bundle } from './bundle.ts'
import { type Lap, startContestant } from './contestant.ts'
import { measureGas } from './gas.ts'
import { formatSpread, toSpread } from './quantiles.ts'
import { formatCount, type Section } from './report.ts'
import { events, type Scene, toRegistry } from './scene.ts'

const counts = [21, 100, 200, 500, 1_000]
const times = 30
const warmUp = 30

/** What a stage keeps of one answer, and what a function may answer with. */
const [cacheBytes, lambdaBytes] = [1_048_576, 6_291_556]

/** Measures the list as it grows, and what its one call costs in gas. */
export async function measureGrowth(scene: Scene): Promise<Section> {
  const lists: { count: number; bytes: number; row: string[] }[] = []
  for (const count of counts) {
    const { near, far, requests } = await measureList(scene, count)
    const bytes = Buffer.byteLength(near.answer)
    const row = [
      formatCount(count),
      `${requests}`,
      formatSpread(toSpread(near.tookMs), 1),
      formatSpread(toSpread(far.tookMs), 1),
      formatCount(bytes),
      (near.heapBytes / 2 ** 20).toFixed(1),
    ]
    lists.push({ count, bytes, row })
  }
  const [first, , , , last] = lists
  if (first === undefined || last === undefined) throw new Error('Nothing was measured.')
  const bytesPerFeed = (last.bytes - first.bytes) / (last.count - first.count)
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
      'The deployed list, bundled with another registry, warm; every entry of every answer was of one block. Milliseconds: median (quartiles). Heap after a garbage collection.',
      `A feed takes ${formatCount(bytesPerFeed)} bytes: a stage keeps answers up to ${formatCount(cacheBytes / bytesPerFeed)} feeds (1 MiB), and a function can give up to ${formatCount(lambdaBytes / bytesPerFeed)} (6 MiB). More feeds than that want pages.`,
      ...gas.notes,
    ],
  }
}

async function measureList(scene: Scene, count: number): Promise<{ near: Lap; far: Lap; requests: number }> {
  const { farSide, folder } = scene
  const { file } = await bundle('lambda/handlers/list-prices.ts', folder, `list-${count}`, toRegistry(count))
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
  for (const { answer } of [near, far]) proveOneBlock(answer, count)
  return { near, far, requests }
}

function proveOneBlock(answer: string, count: number): void {
  const { block, feeds }: { block: number; feeds: readonly { block: number }[] } = JSON.parse(answer)
  if (feeds.length !== count) throw new Error(`The list has ${feeds.length} feeds.`)
  if (feeds.some(feed => feed.block !== block)) throw new Error('Entries are of other blocks, or are no records.')
}
