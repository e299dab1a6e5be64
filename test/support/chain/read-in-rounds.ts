import { expect, vi } from 'vitest'
import type { Network } from '../../../api/networks.ts'
import { type Feed, feedsOf } from '../../../lambda/feeds/registry.ts'
import { readMs } from '../../../lambda/timing.ts'
import { type FaultyNode, type Respond, startFaultyNode } from './faulty-node.ts'

/** Lets this much time of a stopped clock pass at once at each request, and never responds. */
export const silentFor =
  (ms: number): Respond =>
  () =>
    vi.advanceTimersByTime(ms)

/** Responds in these ways in their order, in the last one repeatedly. */
export function inOrder(...behaviours: readonly Respond[]): Respond {
  const left = [...behaviours]
  return (...request) => (left.length > 1 ? left.shift() : left[0])?.(...request)
}

/** Feeds of the mainnet, and the first of them. */
export const mainnet = feedsOf('mainnet')
export const [feed] = mainnet as readonly [Feed, ...Feed[]]

/** Imports `readInRounds` anew, without a preference for an endpoint. */
export async function importReadInRounds() {
  vi.resetModules()
  return await import('../../../lambda/chain/read-in-rounds.ts')
}

/** Creates functions that read the mainnet by `readInRounds`, without a preference for an endpoint. */
export async function createReader() {
  const { readInRounds } = await importReadInRounds()

  /** Reads at nodes. Returns how many requests each of them got. */
  const readAt = async (
    feeds: readonly Feed[],
    nodes: readonly FaultyNode[],
    { network = 'mainnet' as Network, timeoutMs = readMs } = {},
  ) => {
    const before = nodes.map(({ requests }) => requests.length)
    const rpcUrls = nodes.map(({ url }) => url)
    const result = await readInRounds({ network, feeds }, { rpcUrls, deadline: performance.now() + timeoutMs })
    return { ...result, counts: nodes.map(({ requests }, index) => requests.length - Number(before[index])) }
  }

  /** Reads at new nodes, each of which responds in one way. */
  const read = async (feeds: readonly Feed[], ...behaviours: readonly Respond[]) => {
    await using stack = new AsyncDisposableStack()
    const nodes = await Promise.all(behaviours.map(async respond => stack.use(await startFaultyNode(respond))))
    return await readAt(feeds, nodes)
  }
  return { read, readAt }
}

/** A fault of the endpoint at this place, as a trace has it. */
export const fault = (place: number, kind: string, numbers: object = {}) => ({
  endpoint: `rpc-${place}`,
  kind,
  ...numbers,
})

/** The problem that a read returns in place of a reading. */
export const unavailable: unknown = expect.objectContaining({ slug: 'chain-unavailable' })
