import registry from '../lambda/feeds/registry.json' with { type: 'json' }
import { bundle } from './bundle.ts'
import { type ColdProgram, type ColdRun, startCold } from './cold.ts'
import { formatSpread, toSpread } from './quantiles.ts'
import { formatRatio, formatTarget, type Section } from './report.ts'
import { events, type Scene } from './scene.ts'

const processes = 40

/** Measures fresh processes: from nothing to the first answer, and how much of it is the import of the bundle. */
export async function measureColdStart(scene: Scene): Promise<Section> {
  const programs = await toPrograms(scene)
  const runs = new Map<string, ColdRun[]>([...programs.keys()].map(name => [name, []]))
  // The first of each warms the disk's cache, and what the node remembers.
  for (let round = -1; round < processes; round += 1) {
    for (const [name, program] of programs) {
      const times = await startCold(program)
      if (round >= 0) runs.get(name)?.push(times)
    }
  }
  const spreads = new Map(
    [...runs].map(([name, times]) => [
      name,
      {
        total: toSpread(times.map(({ totalMs }) => totalMs)),
        imported: toSpread(times.map(({ importMs }) => importMs)),
        first: toSpread(times.map(({ firstMs }) => firstMs)),
      },
    ]),
  )
  const median = (name: string, what: 'total' | 'imported') => spreads.get(name)?.[what].median ?? Number.NaN
  const ofLimit = (name: string) => median(name, 'total') / median(limit, 'total')
  const ofClient = (name: string) => median(name, 'imported') / median(client, 'imported')
  return {
    title: 'Cold start',
    tables: [
      {
        columns: [
          'ms: median (quartiles)',
          'process to first 200',
          'of limit',
          'import alone',
          'of client',
          'first request',
        ],
        rows: [...spreads].map(([name, { total, imported, first }]) => {
          const answers = name !== client && name !== nothing
          const [whole, ratio] = [formatSpread(total, 1), formatRatio(ofLimit(name))]
          return [
            name,
            whole,
            answers ? ratio : '',
            formatSpread(imported, 1),
            formatRatio(ofClient(name)),
            answers ? formatSpread(first, 1) : '',
          ]
        }),
      },
    ],
    notes: [
      `To the first 200, of the limit: ${formatRatio(ofLimit(ours))} (${formatTarget(ofLimit(ours), 0.9)}).`,
      `Import, of the client's alone: ${formatRatio(ofClient(ours))} (${formatTarget(ofClient(ours), 1)}).`,
      `${processes} fresh processes each, in turn. Everything is bundled in the same way; Parameter Store and the node are in another process on loopback, without TLS and without delay.`,
    ],
  }
}

const ours = 'Price Lookup: record'
const limit = 'limit: client-ssm and fetch'
const client = 'client-ssm alone'
const nothing = 'Node alone'

async function toPrograms(scene: Scene): Promise<ReadonlyMap<string, ColdProgram>> {
  const { folder, farSide, getPrice, listPrices } = scene
  const runner = await toColdRunner(scene)
  const variables = {
    ...farSide.variables(0),
    FEED: registry.mainnet[0]?.address ?? '',
    ETH_CALL: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [call, 'latest'] }),
  }
  const toProgram = (file: string, event = events.getPrice) => ({ runner, bundle: file, event, variables })
  const baseline = async (name: string) => toProgram((await bundle(`bench/baselines/${name}.ts`, folder, name)).file)
  return new Map([
    [limit, await baseline('parameter-and-call')],
    [ours, toProgram(getPrice.file)],
    ['Price Lookup: list', toProgram(listPrices.file, events.listPrices)],
    ['usual way, client-ssm and viem', await baseline('parameter-and-viem')],
    [client, await baseline('client-alone')],
    [nothing, await baseline('nothing')],
  ])
}

/** Any call that the node answers: the time is in the making, not in what is asked. */
const call = { to: registry.mainnet[0]?.address, data: '0x4d8b59fb' }

/** Bundles the program that imports a bundle and invokes it once. */
export async function toColdRunner({ folder }: Scene): Promise<string> {
  return (await bundle('bench/cold-process.ts', folder, 'cold-process')).file
}
