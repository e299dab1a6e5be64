import { inspect } from 'node:util'
import { expect } from 'vitest'
import { networkFacts } from '../../../api/networks.ts'
import type { ReadResult, ReadTrace } from '../../../lambda/chain/read-in-rounds.ts'
import type { FaultKind, UpstreamFault } from '../../../lambda/faults.ts'
import type { Feed } from '../../../lambda/feeds/registry.ts'
import { detailOf, latestBlock } from '../chain/correct-node.ts'
import { type FaultyNode, secret } from '../chain/faulty-node.ts'
import { feed, mainnet, unavailable } from '../chain/read-in-rounds.ts'
import type { Expected, FaultCase } from './fault-case.ts'

/** How a case is read. */
export interface Way {
  readonly feeds: readonly Feed[]
  readonly isAlone: boolean
  /** Whether the node responds correctly when it is asked again. */
  readonly failsOnce?: boolean
}

/** The ways in which every case is read: at the faulty node alone, at one that fails once, and before a healthy one. */
export const ways: readonly Way[] = [
  { feeds: [feed], isAlone: true },
  { feeds: [feed], isAlone: true, failsOnce: true },
  { feeds: mainnet, isAlone: true },
  { feeds: [feed], isAlone: false },
  { feeds: mainnet, isAlone: false },
]

/** Expects the whole result of a read. */
export function expectResult({ reading, trace }: ReadResult, way: Way, faultCase: FaultCase): void {
  const upstreamFaults = trace.upstreamFaults.map(({ httpStatus: _, rpcCode: __, ...fault }) => fault)
  expect({ reading, trace: { ...trace, upstreamFaults } }).toEqual(toExpected(way, faultCase))
}

function toExpected(
  { feeds, isAlone, failsOnce }: Way,
  { expected }: FaultCase,
): { readonly reading: unknown; readonly trace: ReadTrace } {
  const rpcMs = expect.any(Number)
  const atFirst: ReadTrace = { attempts: 1, upstreamFaults: [], endpoint: 'rpc-1', round: 1, rpcMs }
  const atSecond: ReadTrace = { ...atFirst, attempts: 2, endpoint: 'rpc-2' }

  if (typeof expected === 'string') {
    const kind = !isAlone && expected === 'timeout' ? 'slow' : expected
    const upstreamFaults: readonly UpstreamFault[] = [{ endpoint: 'rpc-1', kind }]
    if (failsOnce) return { reading: toReading(feeds), trace: { ...atFirst, attempts: 2, upstreamFaults, round: 2 } }
    if (!isAlone) return { reading: toReading(feeds), trace: { ...atSecond, upstreamFaults } }
    return {
      reading: unavailable,
      trace: { attempts: 2, upstreamFaults: [...upstreamFaults, ...upstreamFaults], rpcMs },
    }
  }
  // A single feed counts as unreadable only if no endpoint can read it.
  const isConfirmed = isAlone || feeds.length > 1 || !('unreadable' in expected)
  if (isConfirmed) return { reading: toReading(feeds, expected), trace: atFirst }
  const kind = expected.hasCode ? 'fewer-feeds' : 'no-state'
  return { reading: toReading(feeds), trace: { ...atSecond, upstreamFaults: [{ endpoint: 'rpc-1', kind }] } }
}

/** The correct reading, but for these fields of its first feed. */
function toReading(feeds: readonly Feed[], changed: Exclude<Expected, FaultKind> = {}): unknown {
  const readings: object[] = feeds.map(feed => {
    const { status: _, answer, observedAt, ...detail } = detailOf('mainnet', feed)
    return { feed, detail: { ...detail, status: 'OK', answer, observedAt: Number(observedAt) }, roundData: { answer } }
  })
  const first = 'unreadable' in changed ? { feed: feeds[0], ...changed } : { ...readings[0], ...changed }
  const readBlock = { chain: networkFacts.mainnet.chain, block: latestBlock, readAt: expect.any(Date) }
  return { ...readBlock, blockTime: expect.any(Number), feeds: readings.with(0, first) }
}

/** Texts of nodes (each has the secret), URLs and sockets, which the service never outputs. */
const encodings = (['utf8', 'hex', 'base64'] as const).map(encoding => Buffer.from(secret).toString(encoding))
const hosts = ['127.0.0.1', 'localhost', '.invalid', 'http://']
const errors = ['ECONN', 'ENOTFOUND', 'HPE_', 'socket hang up', 'aborted']
const upstreamTexts = [...encodings, ...hosts, ...errors].map(text => text.toLowerCase())

/** Expects no key, host, port or text of a node in any output or error. */
export function expectNoLeak(output: unknown, nodes: readonly FaultyNode[]): void {
  const all = { depth: null, showHidden: true, maxArrayLength: null, maxStringLength: null }
  const text = inspect(output, all).toLowerCase()
  expect(upstreamTexts.filter(upstreamText => text.includes(upstreamText))).toEqual([])
  for (const { url } of nodes) expect(text).not.toMatch(new RegExp(`[:/]${url.port}\\b`))
}
