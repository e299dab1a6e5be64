import { createPublicClient, type Hex, http, type PublicClient } from 'viem'
import { afterAll, expect, test, vi } from 'vitest'
import { networkFacts } from '../../../api/networks.ts'
import { feedStatuses } from '../../../api/statuses.ts'
import registry from '../../../lambda/feeds/registry.json' with { type: 'json' }
import { type Chain, startChain, toChainKind } from '../../../local/chains/chains.ts'
import { type StandInFeed, setStandInFeeds } from '../../../local/chains/stand-in-feed.ts'
import { toStandInFeeds } from '../../../local/chains/stand-in-feeds.ts'
import { StartFailure } from '../../../local/run-command.ts'
import { feedAbi } from '../../support/chain/feed-abi.ts'

const startedAt = Math.floor(Date.now() / 1000)
const feeds = {
  mainnet: toStandInFeeds('mainnet', registry.mainnet, startedAt),
  testnet: toStandInFeeds('testnet', registry.testnet, startedAt),
}
const [example] = feeds.testnet as [StandInFeed]

const mainnet = await startChain({ ...toChainKind('mainnet'), feeds: feeds.mainnet })
const testnet = await startChain({ ...toChainKind('testnet'), feeds: feeds.testnet })
afterAll(() => Promise.all([mainnet.stop(), testnet.stop()]))

const clientOf = ({ rpcUrl }: Chain) => createPublicClient({ transport: http(rpcUrl), cacheTime: 0 })
const clients = { mainnet: clientOf(mainnet), testnet: clientOf(testnet) }

test.each(['mainnet', 'testnet'] as const)('every feed of the %s has the state that it was given', async network => {
  const states = feeds[network].map(({ address }) => readFeed(clients[network], address))
  expect(await Promise.all(states)).toEqual(
    feeds[network].map(feed => ({
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
  await setStandInFeeds(testnet.rpcUrl, [{ ...example, status: 'No data' }])
  const { detail } = await readFeed(clients.testnet, example.address)
  expect(detail).toEqual([{ status: 6, answer: 0n, observedAt: 0n }, 0n, 0n])
  await setStandInFeeds(testnet.rpcUrl, [example])
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
  // The testnet makes a block for each transaction only.
  const before = await clients.testnet.getBlockNumber()
  await setStandInFeeds(testnet.rpcUrl, feeds.testnet)
  expect((await clients.testnet.getBlockNumber()) - before).toBe(1n)
})

test('a call on a local chain may use 50 million gas, at a block number like a real one', async () => {
  const { number, gasLimit } = await clients.testnet.getBlock()
  expect(gasLimit).toBe(50_000_000n)
  expect(number).toBeGreaterThan(79_242_031)
})

test('of both chains, the mainnet alone makes blocks without transactions', async () => {
  expect(toChainKind('testnet')).not.toHaveProperty('blockTimeSeconds')
  expect(toChainKind('mainnet').blockTimeSeconds).toBeLessThan(Number(networkFacts.mainnet.maxHeadAgeSeconds))
  // A block time that is shorter than that of the mainnet's chain.
  const busy = await startChain({ ...toChainKind('mainnet'), blockTimeSeconds: 1, feeds: [] })
  const client = clientOf(busy)
  const numbers = () => Promise.all([client.getBlockNumber(), clients.testnet.getBlockNumber()])
  const before = await numbers()
  await expect.poll(() => client.getBlockNumber()).toBeGreaterThan(before[0] + 1n)
  expect((await numbers())[1]).toBe(before[1])
  await busy.stop()
})

async function readFeed(client: PublicClient, address: Hex) {
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
