import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readFeeds } from '../../lambda/chain/read-feeds.ts'
import { feedsOf } from '../../lambda/feeds/registry.ts'
import { attemptMs, preferenceMs, readMs } from '../../lambda/timing.ts'
import { startFaultyNode } from '../support/chain/faulty-node.ts'
import { hostileReplies } from '../support/hostile/replies.ts'
import type { ReplyNodes } from '../support/hostile/reply-nodes.ts'

// What the nodes themselves take is no time of this thread.
const worker = new Worker(new URL('../support/hostile/reply-nodes.ts', import.meta.url))
let nodes: ReplyNodes
beforeAll(async () => {
  nodes = (await once(worker, 'message'))[0]
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})
afterAll(async () => {
  vi.useRealTimers()
  await worker.terminate()
})

const feeds = feedsOf('testnet')
const read = (...rpcUrls: readonly string[]) =>
  readFeeds(
    { network: 'testnet', feeds },
    { rpcUrls: rpcUrls.map(url => new URL(url)), agreement: 1, deadline: performance.now() + readMs },
  )

/**
 * Measures for how long work keeps the event loop from its next turn, at most.
 *
 * In processor time of this thread, because a busy system takes the processor away for longer than 50 ms. What runs
 * between two ticks of the timer is at least one turn.
 */
async function measureLongestTurn(work: () => Promise<unknown>): Promise<number> {
  const usedMs = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1_000
  }
  let [last, longest] = [usedMs(), 0]
  const tick = () => {
    const now = usedMs()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(tick, 1)
  await work()
  tick()
  clearInterval(timer)
  return longest
}

test('a turn that takes 60 ms is measured, and waiting is not', async () => {
  const compute = async (ms: number) => {
    await sleep(5)
    const { user } = process.threadCpuUsage()
    while (process.threadCpuUsage().user - user < ms * 1_000) {}
  }
  expect(await measureLongestTurn(() => compute(60))).toBeGreaterThan(59)
  expect(await measureLongestTurn(() => sleep(100))).toBeLessThan(50)
})

const cases = hostileReplies.map((reply, index) => ({ ...reply, index }))

test.each(cases)('$name: never 50 ms in one turn, and the healthy endpoint is read (D24)', async ({ kind, index }) => {
  // Otherwise the healthy endpoint would be asked first.
  vi.setSystemTime(Date.now() + preferenceMs)
  let result: Awaited<ReturnType<typeof read>> | undefined
  const longestMs = await measureLongestTurn(async () => {
    result = await read(`${nodes.hostile}/${index}`, nodes.healthy)
  })
  expect(result?.trace.faults.map(fault => fault.kind)).toEqual(kind === undefined ? [] : [kind])
  expect(result?.trace.endpoint).toBe(kind === undefined ? 'rpc-1' : 'rpc-2')
  expect(result?.reading).toMatchObject({ feeds: feeds.map(feed => ({ feed, detail: { status: 'OK' } })) })
  expect(longestMs).toBeLessThan(50)
})

test('a response other than 200 that does not end is closed (D24)', async () => {
  await using node = await startFaultyNode(response => response.writeHead(500, { 'Content-Length': 9 }).write('x'))
  await read(node.url.href, nodes.healthy)
  expect(node.countOpen()).toBe(1)
  await vi.waitFor(() => expect(node.countOpen()).toBe(0), { timeout: 2 * attemptMs })
})
