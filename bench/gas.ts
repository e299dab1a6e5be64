import { bundle, withRegistry } from './bundle.ts'
import { startContestant } from './contestant.ts'
import { formatCount, type Table } from './report.ts'
import { events, type Scene, toRegistry } from './scene.ts'

/** What Nitro grants an `eth_call` by default. */
const cap = 50_000_000

/**
 * What the real feed's two calls may take, on paper and generously: the feed, its token and its price source are each a proxy and an
 * implementation (6 cold accounts at 2,600), 20 cold slots at 2,100 (proxies' pointers, quote, multiplier and its schedule, pause,
 * configuration), the second call on warm ones (26 at 100), and 10,000 for the code itself.
 */
const realFeed = 6 * 2_600 + 20 * 2_100 + 26 * 100 + 10_000

interface Call {
  readonly params: readonly [object, string]
}

/** Finds the gas that the list's call needs at a real node, with stand-in feeds. */
export async function measureGas(scene: Scene): Promise<{ readonly table: Table; readonly notes: readonly string[] }> {
  const [few, many] = [await gasOf(scene, 21), await gasOf(scene, 100)]
  const perFeed = (many - few) / (100 - 21)
  const fixed = many - 100 * perFeed
  const rows: [string, number][] = [
    ['stand-in feeds, measured', perFeed],
    ['real feeds, on paper', perFeed + realFeed],
  ]
  return {
    table: {
      columns: ['gas of one call', 'per feed', '21 feeds', '100 feeds', 'of the cap', 'feeds under the cap'],
      rows: rows.map(([name, each]) => [
        name,
        ...[each, fixed + 21 * each, fixed + 100 * each].map(formatCount),
        `${((100 * (fixed + 100 * each)) / cap).toFixed(0)} %`,
        formatCount((cap - fixed) / each),
      ]),
    },
    notes: [
      `Gas is the least limit at which the call says the same, found by bisection at a real node with stand-in feeds; it includes what the request itself costs. The row of real feeds is on paper, and was not measured: the real feed also calls its token and its price source, and ${formatCount(realFeed)} more is 6 cold accounts, 20 cold slots, all of them once more warm, and 10,000 for the code. At three times that, still on paper, 100 feeds a call stay below the cap of ${formatCount(cap)}.`,
    ],
  }
}

async function gasOf({ farSide, folder, nodeUrl }: Scene, count: number): Promise<number> {
  const { file } = await bundle(
    'lambda/handlers/list-prices.ts',
    folder,
    `gas-${count}`,
    withRegistry(toRegistry(count)),
  )
  const list = startContestant({ kind: 'deployed', bundle: file, event: events.listPrices }, farSide, 0)
  await list.ask({ times: 1 })
  await list.stop()
  const { params }: Call = JSON.parse(await farSide.lastRequest())
  const says = (gas: number) => askWithGas(nodeUrl, params, gas)
  const truth = await says(cap)
  let [tooLittle, enough] = [21_000, cap]
  while (enough - tooLittle > 100) {
    const middle = Math.floor((tooLittle + enough) / 2)
    if ((await says(middle)) === truth) enough = middle
    else tooLittle = middle
  }
  return enough
}

async function askWithGas(nodeUrl: string, [call, block]: Call['params'], gas: number): Promise<string> {
  const params = [{ ...call, gas: `0x${gas.toString(16)}` }, block]
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params })
  const reply = await fetch(nodeUrl, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  const { result = 'none' }: { result?: string } = JSON.parse(await reply.text())
  return result
}
