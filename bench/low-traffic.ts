import { type Candidate, interleave } from './candidate.ts'
import { createCandidates } from './latency.ts'
import { round } from './median.ts'
import { type Distance, roundTripMs, type Upstream } from './upstream.ts'

/** The columns: the milliseconds between two reads of a container. */
const gaps = [
  ['0.1 s apart', 100],
  ['10 s', 10_000],
  ['30 s', 30_000],
  ['70 s, with the reload', 70_000],
] as const

/**
 * Measures how long a caller waits for a container that was frozen since its last read, in round trips to a far node.
 *
 * The gaps pass on the clock of the candidate alone. viem's `fetch` would close its connections after 4 s, so the node
 * closes them.
 */
export async function measureLowTraffic(upstream: Upstream) {
  const rows: Record<string, Record<string, number>> = {}
  for (const route of ['record', 'list'] as const) {
    const candidates = await createCandidates(route, upstream)
    for (const [column, gapMs] of gaps) {
      const toDistance = ({ kind }: Candidate): Distance =>
        kind.startsWith('viem') && gapMs > 4_000 ? 'far-closing' : 'far'
      const results = await interleave(candidates, upstream, { toDistance, measured: 30, warmUps: 10, gapMs })
      for (const [name, ms] of results) {
        const row = `${route}: ${name}`
        rows[row] = { ...rows[row], [column]: round(ms / roundTripMs) }
      }
    }
  }
  return rows
}
