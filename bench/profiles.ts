import { startCold } from './cold.ts'
import { toColdRunner } from './cold-programs.ts'
import { startContestant } from './contestant.ts'
import { createProfiles, readProfiles, type Spent } from './profile.ts'
import type { Section, Table } from './report.ts'
import { events, type Scene } from './scene.ts'

const warmTimes = 4_000
const coldTimes = 10
const shown = 10

/** Shows where the time of a warm and of a cold record goes, by package and by function. */
export async function measureProfiles(scene: Scene): Promise<Section> {
  const { farSide, folder, getPrice } = scene
  const warm = await createProfiles(folder)
  const way = { kind: 'deployed', bundle: getPrice.file, event: events.getPrice } as const
  const contestant = startContestant(way, farSide, 0, { nodeOptions: warm.nodeOptions })
  await contestant.ask({ times: warmTimes })
  await contestant.stop()

  const cold = await createProfiles(folder)
  const runner = await toColdRunner(scene)
  const program = { runner, bundle: getPrice.file, event: events.getPrice, variables: farSide.variables(0) }
  for (let time = 0; time < coldTimes; time += 1) await startCold({ ...program, nodeOptions: cold.nodeOptions })

  const [inWarm, inCold] = [await readProfiles(warm.folder), await readProfiles(cold.folder)]
  return {
    title: 'Profiles',
    tables: [
      toOwners('warm: own time', inWarm, warmTimes),
      toPlaces('warm: own time', inWarm, warmTimes),
      toOwners('cold: own time', inCold, coldTimes),
      toPlaces('cold: own time', inCold, coldTimes),
    ],
    notes: [
      `Processor time of one record, as V8's profiler samples it (and slows it down): of ${warmTimes} warm invocations, the process's own start among them, and of ${coldTimes} cold starts. Waiting is left out.`,
    ],
  }
}

function toOwners(title: string, spent: readonly Spent[], times: number): Table {
  const owners = new Map<string, number>()
  for (const { owner, ms } of spent) owners.set(owner, (owners.get(owner) ?? 0) + ms)
  const sorted = [...owners].toSorted(([, a], [, b]) => b - a).slice(0, shown)
  return {
    columns: [`${title} by owner`, 'ms', 'share'],
    rows: sorted.map(([owner, ms]) => [owner, (ms / times).toFixed(3), toShare(ms, spent)]),
  }
}

function toPlaces(title: string, spent: readonly Spent[], times: number): Table {
  return {
    columns: [`${title} by function`, 'ms', 'share'],
    rows: spent
      .slice(0, shown)
      .map(({ owner, place, ms }) => [`${owner}: ${place}`, (ms / times).toFixed(3), toShare(ms, spent)]),
  }
}

function toShare(ms: number, spent: readonly Spent[]): string {
  const total = spent.reduce((sum, one) => sum + one.ms, 0)
  return `${((100 * ms) / total).toFixed(1)} %`
}
