import type { Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { attemptMs, hedgeDelayMs } from '../../../lambda/timing.ts'
import { correct, everyFeed, toCorrectResult } from '../../support/chain/correct-node.ts'
import { rowWithoutCode } from '../../support/chain/encoding.ts'
import { type Respond, rpcError, startFaultyNode, toReply } from '../../support/chain/faulty-node.ts'
import { createReader, feed, mainnet, silentFor } from '../../support/chain/read-in-rounds.ts'
import { until } from '../../support/clock.ts'

vi.mock(import('node:timers/promises'), () => import('../../support/chain/pauses.ts'))

let reader: Awaited<ReturnType<typeof createReader>>
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] })
  reader = await createReader()
})
afterEach(() => vi.useRealTimers())

/**
 * Starts a pool whose balancer ties each connection to one node. `sicken` makes the nodes of all connections up to then
 * respond as given.
 */
async function startPool(sick: Respond) {
  const used = new Set<Socket | null>()
  const tied = new Set<Socket | null>()
  const node = await startFaultyNode((response, body) => {
    used.add(response.socket)
    return (tied.has(response.socket) ? sick : correct)(response, body)
  })
  const sicken = () => {
    for (const socket of used) tied.add(socket)
  }
  return { ...node, sicken }
}

const otherChain: Respond = (response, body) => response.end(toReply(body, toCorrectResult('testnet', body)))

/** The reply to an earlier request. */
const late: Respond = response => response.end(toReply('{"id":1}', '0x'))

test.each<[string, Respond]>([
  // Unlike a response of 429, this one has a status of 200, for which the client does not close the connection.
  ['limits the rate', rpcError(-32_005)],
  ['returns the reply to an earlier request', late],
  ['is of another chain', otherChain],
])('a kept connection to a node of a pool that %s costs one request, and no read (D24)', async (_, sick) => {
  for (const feeds of [[feed], mainnet]) {
    await using pool = await startPool(sick)
    const read = async () => (await reader.readAt(feeds, [pool])).trace
    expect(await read()).toMatchObject({ attempts: 1, endpoint: 'rpc-1' })
    pool.sicken()
    expect(await read()).toMatchObject({ attempts: 2, endpoint: 'rpc-1', round: 2 })
    expect(await read()).toMatchObject({ attempts: 1, endpoint: 'rpc-1' })
    expect([pool.requests.length, pool.countOpened()]).toEqual([4, 2])
  }
})

test('a kept connection to a node of a pool that has lost its state costs one read of a feed, and none of a list (D24)', async () => {
  await using pool = await startPool(everyFeed(rowWithoutCode))
  const readList = async () => (await reader.readAt(mainnet, [pool])).trace
  const readFeed = async () => (await reader.readAt([feed], [pool])).reading
  await readList()
  pool.sicken()
  expect(await readList()).toMatchObject({ attempts: 2, round: 2 })
  expect(await readList()).toMatchObject({ attempts: 1 })
  pool.sicken()
  expect(await readFeed()).toMatchObject({ feeds: [{ unreadable: 'no contract is at its address' }] })
  expect(await readFeed()).toMatchObject({ feeds: [{ detail: { status: 'OK' } }] })
  expect([pool.requests.length, pool.countOpened()]).toEqual([6, 3])
})

test('of several kept connections that are dead, one costs an attempt (D24)', async () => {
  await using pool = await startPool(silentFor(attemptMs))
  await Promise.all(Array.from({ length: 4 }, () => reader.readAt([feed], [pool])))
  expect(pool.countOpened()).toBe(4)
  pool.sicken()
  expect((await reader.readAt([feed], [pool])).trace).toMatchObject({ attempts: 2, endpoint: 'rpc-1', round: 2 })
  expect(pool.countOpened()).toBe(5)
})

test('an attempt that is aborted without a fault closes no idle connection (D24)', async () => {
  await using other = await startFaultyNode((...request) =>
    other.requests.length > 2 ? undefined : correct(...request),
  )
  await Promise.all([reader.readAt([feed], [other]), reader.readAt([feed], [other])])
  expect(other.countOpen()).toBe(2)
  await using first = await startFaultyNode(async (...request) => {
    vi.advanceTimersByTime(hedgeDelayMs)
    await until(() => other.requests.length === 3)
    correct(...request)
  })
  expect((await reader.readAt([feed], [first, other])).trace).toMatchObject({
    attempts: 2,
    upstreamFaults: [],
    endpoint: 'rpc-1',
  })
  await until(() => other.countOpen() === 1)
})
