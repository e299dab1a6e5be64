import { once } from 'node:events'
import { createServer } from 'node:http'
import registry from '../lambda/feeds/registry.json' with { type: 'json' }
import { startGateway } from '../local/gateway.ts'
import { startSandbox } from '../local/sandbox.ts'
import { toUnthrottled } from '../test/fuzz/unthrottled.ts'
import { callers, type Load, loadUrl } from './load.ts'
import { captureCalls } from './own-calls.ts'
import { countRecords, proveWhole } from './records.ts'
import { formatCount, type Section } from './report.ts'
import type { Scene } from './scene.ts'

/** How many feeds the list is of. */
const feeds = registry.mainnet.length

/** Measures how many requests a second the local world answers, from the cache and from the chain, beside its limits. */
export async function measureThroughput(scene: Scene): Promise<Section> {
  await using world = await startSandbox({ mainnet: 'embedded', testnet: 'deployed' })
  const nodeUrl = world.chains.mainnet?.rpcUrl ?? ''
  const loads: [string, Load, Load][] = []
  for (const [name, keptMs] of [
    ['from the cache', 600_000],
    ['from the chain, without the cache', 0],
  ] as const) {
    const template = toUnthrottled(world.template, keptMs)
    const { baseUrl, stop } = await startGateway({ template, functions: world.functions, host: '127.0.0.1', port: 0 })
    loads.push([name, await loadRecords(`${baseUrl}/price/CRWD`, 1), await loadRecords(`${baseUrl}/price`, feeds)])
    await stop()
  }
  const { record, list } = await captureCalls(scene)
  proveWhole(countRecords(record.answer), 1)
  proveWhole(countRecords(list.answer), feeds)
  for (const { call } of [record, list]) await proveResult(nodeUrl, call)
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
        rows: loads.map(toRow),
      },
    ],
    notes: [
      `The local world (gateway, containers, a real node) and the load, ${callers} callers in a process of its own, share this machine: it compares, and promises nothing of AWS. The stage's throttling is lifted. Failed are HTTP statuses other than 2xx, broken connections and timeouts; what an answer says is looked at before the load, not under it.`,
    ],
  }
}

function toRow([name, record, list]: readonly [string, Load, Load]): string[] {
  const cells = [record, list].flatMap(({ perSecond, medianMs, p99Ms }) => [
    formatCount(perSecond),
    formatMs(medianMs),
    formatMs(p99Ms),
  ])
  return [name, ...cells, `${record.failed + list.failed}`]
}

/** Loads the gateway, once an answer of it is seen to be whole. */
async function loadRecords(url: string, records: number): Promise<Load> {
  proveWhole(countRecords(await (await fetch(url)).text()), records)
  return loadUrl(url)
}

/** @throws {Error} when the node does not answer a call with a result. */
async function proveResult(nodeUrl: string, body: string): Promise<void> {
  const reply = await fetch(nodeUrl, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  const { result }: { result?: unknown } = JSON.parse(await reply.text())
  if (typeof result !== 'string' || !result.startsWith('0x')) throw new Error('The node gave no result.')
}

/** Writes the whole milliseconds that the load is told in. */
function formatMs(ms: number): string {
  return ms < 1 ? '< 1' : `${ms}`
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
