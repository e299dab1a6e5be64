import { measureSize } from './bundle.ts'
import { measureColdStart } from './cold-start.ts'
import { formatMachine, formatSection, type Section, writeDocument } from './document.ts'
import { measureGrowth, measureLatency } from './latency.ts'
import { measureRoundTrips, measureWorstCase } from './requests.ts'
import { startUpstream, type Upstream } from './upstream.ts'

const parts: Readonly<Record<string, (upstream: Upstream) => Promise<Section>>> = {
  'round-trips': measureRoundTrips,
  'worst-case': measureWorstCase,
  latency: measureLatency,
  'cold-start': measureColdStart,
  size: measureSize,
  growth: measureGrowth,
}

const names = process.argv.slice(2)
if (names.includes('--help')) {
  console.log(`npm run bench -- [PART …]

Measures the service beside what it is compared with: all parts, which writes docs/bench.md, or some. Needs a quiet machine.

Parts: ${Object.keys(parts).join(', ')}`)
  process.exit()
}
const unknown = names.filter(name => !Object.hasOwn(parts, name))
if (unknown.length > 0) {
  console.error(`Unknown part: ${unknown.join(', ')}. Known: ${Object.keys(parts).join(', ')}.`)
  process.exit(1)
}

const machine = await formatMachine()
console.log(`${machine}\n`)
const sections: string[] = []
{
  await using upstream = await startUpstream()
  for (const [name, measure] of Object.entries(parts)) {
    if (names.length > 0 && !names.includes(name)) continue
    const began = performance.now()
    const section = formatSection(await measure(upstream))
    sections.push(section)
    console.log(section)
    console.error(`(${name} took ${((performance.now() - began) / 1_000).toFixed(0)} s)\n`)
  }
}
if (names.length === 0) await writeDocument(machine, sections)
