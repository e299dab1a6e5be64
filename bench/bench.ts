import { measureColdStart } from './cold-start.ts'
import { measureCost } from './cost.ts'
import { writeDocument } from './document.ts'
import { measureGrowth } from './growth.ts'
import { measureLatency } from './latency.ts'
import { describeMachine } from './machine.ts'
import { measureProfiles } from './profiles.ts'
import { formatSection, type Section } from './report.ts'
import { measureRoundTrips } from './round-trips.ts'
import { type Scene, startScene } from './scene.ts'
import { measureSize } from './size.ts'
import { measureThroughput } from './throughput.ts'
import { measureWorstCase } from './worst-case.ts'

const parts: Readonly<Record<string, (scene: Scene) => Promise<Section>>> = {
  'round-trips': measureRoundTrips,
  'worst-case': measureWorstCase,
  latency: measureLatency,
  'cold-start': measureColdStart,
  size: measureSize,
  growth: measureGrowth,
  throughput: measureThroughput,
  cost: measureCost,
  profiles: measureProfiles,
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter(name => !Object.hasOwn(parts, name))
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. The parts: ${Object.keys(parts).join(', ')}.`)
  process.exit(1)
}

const machine = await describeMachine()
const sections: string[] = []
{
  await using scene = await startScene()
  console.log(`${machine}\n`)
  for (const [name, measure] of Object.entries(parts)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    const began = performance.now()
    const section = formatSection(await measure(scene))
    sections.push(section)
    console.log(section)
    console.error(`(${name} took ${((performance.now() - began) / 1_000).toFixed(0)} s)\n`)
  }
}
if (wanted.length === 0) await writeDocument(machine, sections)
