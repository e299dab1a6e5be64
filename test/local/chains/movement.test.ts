import { createPublicClient, http } from 'viem'
import { expect, test, vi } from 'vitest'
import { feedStatuses } from '../../../api/statuses.ts'
import registry from '../../../lambda/feeds/registry.json' with { type: 'json' }
import { startChain, toChainKind } from '../../../local/chains/chains.ts'
import { moveFeeds, startMovement } from '../../../local/chains/movement.ts'
import type { StandInFeed } from '../../../local/chains/stand-in-feed.ts'
import { toStandInFeeds } from '../../../local/chains/stand-in-feeds.ts'
import { feedAbi } from '../../support/chain/feed-abi.ts'

/** Takes the place of the pauses between new prices. */
const pause = vi.hoisted(() => vi.fn<(ms: number) => Promise<void>>(async () => {}))
// Another file of the worker may have loaded the modules without the mock.
vi.hoisted(() => vi.resetModules())
vi.mock(import('node:timers/promises'), async load => ({ ...(await load()), setTimeout: pause as never }))

const startedAt = 1_795_000_000
const feeds = toStandInFeeds('mainnet', registry.mainnet, startedAt)
const find = (among: readonly StandInFeed[]) => among.find(({ symbol }) => symbol === 'HIMS') as StandInFeed

test('only the feeds that are OK have a price of the given moment', () => {
  const moved = moveFeeds(feeds, false, startedAt + 5, 5)
  const ok = feeds.filter(({ status }) => status === 'OK')
  expect(moved.map(({ symbol }) => symbol)).toEqual(ok.map(({ symbol }) => symbol))
  expect(find(moved)).toEqual({
    ...find(feeds),
    answer: 4_806_979_060n,
    sharePrice: 4_806_979_060n,
    observedAt: startedAt + 5,
  })
})

test('the last feed that is OK, which is SHOP, as the board states, goes through all statuses in two minutes', () => {
  expect(moveFeeds(feeds, true, startedAt, 0).at(-1)?.symbol).toBe('SHOP')
  const statusAt = (second: number) => moveFeeds(feeds, true, startedAt + second, second).at(-1)?.status
  const statuses = Array.from({ length: 240 }, (_, second) => statusAt(second))
  const cycle = feedStatuses.flatMap(status => statuses.slice(0, 120).filter(candidate => candidate === status))
  expect(statuses).toEqual([...cycle, ...cycle])
  expect(feedStatuses.map(status => cycle.filter(candidate => candidate === status).length)).toEqual([
    18, 17, 17, 17, 17, 17, 17,
  ])
})

test('a running chain has new prices every five seconds, at its own time', async () => {
  const [feed] = toStandInFeeds('testnet', registry.testnet, Math.floor(Date.now() / 1_000)) as [StandInFeed]
  const chain = await startChain({ ...toChainKind('testnet'), feeds: [feed] })
  const client = createPublicClient({ transport: http(chain.rpcUrl), cacheTime: 0 })
  const read = () => client.readContract({ abi: feedAbi, address: feed.address, functionName: 'latestDetail' })
  const { timestamp } = await client.getBlock()
  const stop = startMovement(chain, false)
  await expect.poll(async () => (await read())[0].answer).not.toBe(feed.answer)
  await stop()
  const [{ status, answer, observedAt }, sharePrice] = await read()
  expect({ status, sharePrice }).toEqual({ status: 0, sharePrice: answer })
  expect(observedAt).toBeGreaterThanOrEqual(timestamp)
  expect(new Set(pause.mock.calls.map(([ms]) => ms))).toEqual(new Set([5_000]))
  await chain.stop()
})
