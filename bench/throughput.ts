import { once } from 'node:events'
import { createServer } from 'node:http'
import { startGateway } from '../local/gateway.ts'
import { startWorld } from '../local/world.ts'
import { toPatient } from '../test/fuzz/patient-template.ts'
import { startContestant } from './contestant.ts'
import { callers, type Load, loadUrl } from './load.ts'
import { formatCount, type Section } from './report.ts'
import { waysOf } from './round-trips.ts'
import type { Scene } from './scene.ts'

/** Measures how many requests a second the local world answers, from the cache and from the chain, beside its limits. */
export async function measureThroughput(scene: Scene): Promise<Section> {
  await using world = await startWorld({ mainnet: 'embedded', testnet: 'deployed' })
  const nodeUrl = world.chains.mainnet?.rpcUrl ?? ''
  const loads: [string, Load, Load][] = []
  for (const [name, keptMs] of [
    ['from the cache', 600_000],
    ['from the chain, without the cache', 0],
  ] as const) {
    const template = toPatient(world.template, keptMs)
    const { baseUrl, stop } = await startGateway({ template, functions: world.functions, host: '127.0.0.1', port: 0 })
    loads.push([name, await loadUrl(`${baseUrl}/price/CRWD`), await loadUrl(`${baseUrl}/price`)])
    await stop()
  }
  const [record, list] = await answersAndCalls(scene)
  loads.push(['limit: a server that says the same', await loadServer(record.answer), await loadServer(list.answer)])
  loads.push([
    'limit: the node, asked the same',
    await loadUrl(nodeUrl, record.call),
    await loadUrl(nodeUrl, list.call),
  ])
  return {
    title: 'Throughput',
    tables: [
      {
        columns: ['requests a second', 'record', 'ms, median', 'ms, 99 %', 'list', 'ms, median', 'ms, 99 %', 'failed'],
        rows: loads.map(([name, one, all]) => [
          name,
          ...[one, all].flatMap(({ perSecond, medianMs, p99Ms }) => [
            formatCount(perSecond),
            `${medianMs}`,
            `${p99Ms}`,
          ]),
          `${one.failed + all.failed}`,
        ]),
      },
    ],
    notes: [
      `The local world (gateway, containers, a real node) and the load, ${callers} callers in a process of its own, share this machine: it compares, and promises nothing of AWS. The stage's throttling is lifted.`,
    ],
  }
}

interface AnswerAndCall {
  readonly answer: string
  readonly call: string
}

async function answersAndCalls(scene: Scene): Promise<readonly [record: AnswerAndCall, list: AnswerAndCall]> {
  const [ours] = waysOf(scene)
  if (ours === undefined) throw new Error('There is no contestant.')
  const [, record, list] = ours
  const ask = async (way: typeof record): Promise<AnswerAndCall> => {
    const contestant = startContestant(way, scene.farSide, 0)
    const { answer } = await contestant.ask({ times: 1 })
    await contestant.stop()
    return { answer, call: await scene.farSide.lastRequest() }
  }
  return [await ask(record), await ask(list)]
}

async function loadServer(answer: string): Promise<Load> {
  const server = createServer((_, response) => response.setHeader('Content-Type', 'application/json').end(answer))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  const load = await loadUrl(`http://127.0.0.1:${address.port}/`)
  server.close()
  return load
}
