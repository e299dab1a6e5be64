import { cpus, loadavg } from 'node:os'
import { measureColdStart } from './cold-start.ts'
import { measureLatency } from './latency.ts'
import { measureLowTraffic } from './low-traffic.ts'
import { startUpstream, type Upstream } from './upstream.ts'

/** Figures by the name of what was measured, and by column. */
type Table = Readonly<Record<string, Readonly<Record<string, number>>>>

const parts: Readonly<Record<string, (upstream: Upstream) => Promise<Table>>> = {
  'low-traffic': measureLowTraffic,
  record: upstream => measureLatency('record', upstream),
  list: upstream => measureLatency('list', upstream),
  'cold-start': measureColdStart,
}
const known = Object.keys(parts)

const names = process.argv.slice(2)
if (names.includes('--help')) {
  console.log(`npm run bench -- [PART …]

Measures the service beside what it is compared with, and prints the figures of docs/bench.md: all parts, or some.
Needs a quiet machine.

Parts: ${known.join(', ')}`)
  process.exit()
}
const unknown = names.filter(name => !known.includes(name))
if (unknown.length > 0) {
  console.error(`Unknown part: ${unknown.join(', ')}. Known: ${known.join(', ')}.`)
  process.exit(1)
}

const machine = `${cpus()[0]?.model}, ${cpus().length} cores, load average ${loadavg()[0]?.toFixed(1)}`
console.log(`Measured on ${machine}; Node ${process.versions.node}.`)
{
  await using upstream = await startUpstream()
  for (const [name, measure] of Object.entries(parts)) {
    if (names.length > 0 && !names.includes(name)) continue
    console.log(`\n${name}`)
    console.table(await measure(upstream))
  }
}
