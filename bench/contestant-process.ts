import { bareFetch, bareHttp } from './baselines/bare-call.ts'
import { viemReads } from './baselines/viem-reads.ts'
import { answerParent } from './child.ts'
import type { Lap, Turn, Way } from './contestant.ts'
import { loadDeployed } from './deployed.ts'
import { countRecords } from './records.ts'

const way: Way = JSON.parse(process.env['CONTESTANT_WAY'] ?? '')
const run = await toRun(way, process.env['CONTESTANT_RPC_URL'] ?? '')

answerParent<Turn, Lap>(async ({ times }) => {
  const tookMs: number[] = []
  let [answer, leastRecords] = ['', Number.POSITIVE_INFINITY]
  for (let time = 0; time < times; time += 1) {
    const began = performance.now()
    answer = await run()
    tookMs.push(performance.now() - began)
    leastRecords = Math.min(leastRecords, countRecords(answer))
  }
  if (globalThis.gc !== undefined) await globalThis.gc({ execution: 'async' })
  return { tookMs, answer, leastRecords, heapBytes: process.memoryUsage().heapUsed }
})

async function toRun(way: Way, rpcUrl: string): Promise<() => Promise<string>> {
  switch (way.kind) {
    case 'deployed': {
      const invoke = await loadDeployed(way.bundle, way.event)
      return async () => (await invoke()).body
    }
    case 'whole result': {
      const invoke = await loadDeployed(way.bundle, way.event)
      return async () => JSON.stringify(await invoke())
    }
    case 'fetch':
      return bareFetch(rpcUrl, way.body)
    case 'http':
      return bareHttp(rpcUrl, way.body)
    default:
      return viemReads(rpcUrl, way.feeds, way.kind === 'viem with multicall')
  }
}
