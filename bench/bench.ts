import { measureSize } from './bundle.ts'
import { measureColdStart } from './cold-start.ts'
import { formatMachine, formatSection, type Section } from './document.ts'
import { measureGrowth, measureLatency } from './latency.ts'
import { measureRoundTrips } from './requests.ts'
import { startUpstream, type Upstream } from './upstream.ts'

const parts: Readonly<Record<string, (upstream: Upstream) => Promise<Section>>> = {
  'round-trips': measureRoundTrips,
  latency: measureLatency,
  'cold-start': measureColdStart,
  size: measureSize,
  growth: measureGrowth,
}

const names = process.argv.slice(2)
if (names.includes('--help')) {
  console.log(`npm run bench -- [PART …]

Measures the service beside what it is compared with, and prints what docs/bench.md holds: all parts, or some.
Needs a quiet machine.

Parts: ${Object.keys(parts).join(', ')}`)
  process.exit()
}
const unknown = names.filter(name => !Object.hasOwn(parts, name))
if (unknown.length > 0) {
  console.error(`Unknown part: ${unknown.join(', ')}. Known: ${Object.keys(parts).join(', ')}.`)
  process.exit(1)
}

console.log(`Measured on ${await formatMachine()}\n`)
{
  await using upstream = await startUpstream()
  for (const [name, measure] of Object.entries(parts)) {
    if (names.length > 0 && !names.includes(name)) continue
    const began = performance.now()
    console.log(formatSection(await measure(upstream)))
    console.error(`(${name} took ${((performance.now() - began) / 1_000).toFixed(0)} s)\n`)
  }
}
