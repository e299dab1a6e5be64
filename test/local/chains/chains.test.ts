import { createPublicClient, http } from 'viem'
import { afterAll, expect, test, vi } from 'vitest'
import { networkFacts } from '../../../api/networks.ts'
import { feedStatuses } from '../../../api/statuses.ts'
import registry from '../../../lambda/feeds/registry.json' with { type: 'json' }
import { type Chain, startChain, toChainKind } from '../../../local/chains/chains.ts'
import { type StandInFeed, setStandInFeeds } from '../../../local/chains/stand-in-feed.ts'
import { toStandInFeeds } from '../../../local/chains/stand-in-feeds.ts'
import { StartFailure } from '../../../local/run-command.ts'
import { feedAbi } from '../../support/chain/feed-abi.ts'

const feeds = toStandInFeeds('mainnet', registry.mainnet, Math.floor(Date.now() / 1_000))
const [example] = feeds as [StandInFeed]

const clientOf = ({ rpcUrl }: Chain) => createPublicClient({ transport: http(rpcUrl), cacheTime: 0 })

// This chain makes a block for each transaction only.
const chain = await startChain({ ...toChainKind('testnet'), feeds })
const client = clientOf(chain)
afterAll(() => chain.stop())

test('every feed of a local chain has the state that it was given', async () => {
  expect(await Promise.all(feeds.map(readFeed))).toEqual(
    feeds.map(feed => ({
      detail: [
        { status: feedStatuses.indexOf(feed.status), answer: feed.answer, observedAt: BigInt(feed.observedAt) },
        feed.sharePrice,
        feed.multiplier,
      ],
      roundData: toRoundData(feed),
    })),
  )
})

test('a feed without data returns zeros, whatever its state', async () => {
  await setStandInFeeds(chain.rpcUrl, [{ ...example, status: 'No data' }])
  const { detail } = await readFeed(example)
  expect(detail).toEqual([{ status: 6, answer: 0n, observedAt: 0n }, 0n, 0n])
  await setStandInFeeds(chain.rpcUrl, [example])
})

test('a chain that cannot be reached is a failure of one sentence', async () => {
  const spy = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('fetch failed'))
  const failure = await startChain({ ...toChainKind('testnet'), feeds: [] }).catch((error: unknown) => error)
  spy.mockRestore()
  expect(failure).toBeInstanceOf(StartFailure)
  const sentence = /^The local chain at http:\/\/127\.0\.0\.1:\d+ cannot be used: HTTP request failed\. fetch failed\.$/
  expect(failure).toMatchObject({ message: expect.stringMatching(sentence) })
})

test('the feeds are set in one block', async () => {
  const before = await client.getBlockNumber()
  await setStandInFeeds(chain.rpcUrl, feeds)
  expect((await client.getBlockNumber()) - before).toBe(1n)
})

test('a call on a local chain may use 50 million gas, at a block number like a real one', async () => {
  const { number, gasLimit } = await client.getBlock()
  expect(gasLimit).toBe(50_000_000n)
  expect(number).toBeGreaterThan(79_242_031)
})

test('a transaction makes a block at once, also on a chain that makes a block a day', async () => {
  const daily = await startChain({ ...toChainKind('mainnet'), blockTimeSeconds: 86_400, feeds: [] })
  const before = await clientOf(daily).getBlockNumber()
  await setStandInFeeds(daily.rpcUrl, [])
  expect((await clientOf(daily).getBlockNumber()) - before).toBe(1n)
  await daily.stop()
})

test('of both chains, the mainnet alone makes blocks without transactions', async () => {
  expect(toChainKind('testnet')).not.toHaveProperty('blockTimeSeconds')
  expect(toChainKind('mainnet').blockTimeSeconds).toBeLessThan(Number(networkFacts.mainnet.maxHeadAgeSeconds))
  // A block time that is shorter than that of the mainnet's chain.
  const busy = await startChain({ ...toChainKind('mainnet'), blockTimeSeconds: 1, feeds: [] })
  const numbers = () => Promise.all([clientOf(busy).getBlockNumber(), client.getBlockNumber()])
  const before = await numbers()
  await expect.poll(async () => (await numbers())[0]).toBeGreaterThan(before[0] + 1n)
  expect((await numbers())[1]).toBe(before[1])
  await busy.stop()
})

async function readFeed({ address }: StandInFeed) {
  const feed = { abi: feedAbi, address } as const
  return {
    detail: await client.readContract({ ...feed, functionName: 'latestDetail' }),
    roundData: await client.readContract({ ...feed, functionName: 'latestRoundData' }).catch(error => error.cause.data),
  }
}

function toRoundData({ status, answer, observedAt }: StandInFeed) {
  const at = BigInt(observedAt)
  const serves = status === 'OK' || status === 'Market closed'
  if (serves) return [at, answer, at, at, at]
  return expect.objectContaining({ errorName: 'FeedUnavailable', args: [feedStatuses.indexOf(status)] })
}
