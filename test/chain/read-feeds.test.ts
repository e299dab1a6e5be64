import { createTestClient, http, numberToHex, publicActions } from 'viem'
import { foundry } from 'viem/chains'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Reading } from '../../lambda/chain/read-call.ts'
import { readFeeds } from '../../lambda/chain/read-feeds.ts'
import type { FaultKind } from '../../lambda/faults.ts'
import { toPriceRecord } from '../../lambda/feeds/price-record.ts'
import { type Feed, feedsOf } from '../../lambda/feeds/registry.ts'
import type { Network } from '../../lambda/networks.ts'
import { Problem } from '../../lambda/problems.ts'
import { readMs } from '../../lambda/timing.ts'
import { type Chain, startChain, toChainKind } from '../../local/chains/chains.ts'
import { type StandInFeed, setStandInFeeds } from '../../local/chains/stand-in-feed.ts'
import { addressesOf } from './encoding.ts'
import { blockOf, startProxyNode } from './faulty-node.ts'

const observedAt = Math.floor(Date.now() / 1_000) - 60
const values = { answer: 107_990_000_000n, sharePrice: 26_997_500_000n, multiplier: 4n * 10n ** 18n, observedAt }
const toStandIn = ({ address, token }: Feed): StandInFeed => ({
  address,
  token,
  status: 'OK',
  servesWhenClosed: true,
  ...values,
})

const mainnet = feedsOf('mainnet')
const [feed] = mainnet
if (feed === undefined) throw new Error('The registry is empty')
const standIn = toStandIn(feed)
const generated: Feed[] = Array.from({ length: 205 }, (_, index) => ({
  symbol: `G${index}`,
  address: numberToHex(0x1000 + index, { size: 20 }),
  token: numberToHex(0x2000 + index, { size: 20 }),
}))

let chain: Chain
beforeAll(async () => {
  chain = await startChain({ ...toChainKind('mainnet'), feeds: [...mainnet, ...generated].map(toStandIn) })
})
afterAll(() => chain.stop())
beforeEach(() => setStandInFeeds(chain.rpcUrl, [standIn]))
afterEach(() => vi.useRealTimers())

const anvil = () =>
  createTestClient({ chain: foundry, mode: 'anvil', transport: http(chain.rpcUrl) }).extend(publicActions)
const readWithTrace = (feeds: readonly Feed[], rpcUrls: readonly string[], network: Network = 'mainnet') =>
  readFeeds(
    { network, feeds },
    { rpcUrls: rpcUrls.map(rpcUrl => new URL(rpcUrl)), agreement: 1, deadline: performance.now() + readMs },
  )
const read = async (feeds: readonly Feed[] = [feed], rpcUrls = [chain.rpcUrl]): Promise<Reading> => {
  const { reading, trace } = await readWithTrace(feeds, rpcUrls)
  if (reading instanceof Problem) throw new Error(`No reading: ${JSON.stringify(trace)}`)
  return reading
}
async function faultsOf(feeds: readonly Feed[], rpcUrls: readonly string[], network?: Network): Promise<FaultKind[]> {
  const { reading, trace } = await readWithTrace(feeds, rpcUrls, network)
  expect(reading).toBeInstanceOf(Problem)
  return trace.faults.map(({ kind }) => kind)
}

test('a reading has every value of the feed, the chain’s block and our time (D13, D15)', async () => {
  const before = { block: Number(await anvil().getBlockNumber({ cacheTime: 0 })), time: Date.now() }
  const { head, feeds } = await read()
  const after = { block: Number(await anvil().getBlockNumber({ cacheTime: 0 })), time: Date.now() }
  expect(feeds).toEqual([{ feed, detail: { status: 'OK', ...values }, round: { answer: 107_990_000_000n } }])
  expect(head.chain).toMatchObject({ id: 4663, name: 'Robinhood Chain' })
  expect(head.block).toBeGreaterThanOrEqual(before.block)
  expect(head.block).toBeLessThanOrEqual(after.block)
  expect(head.readAt.getTime()).toBeGreaterThanOrEqual(before.time)
  expect(head.readAt.getTime()).toBeLessThanOrEqual(after.time)
})

test.each([
  ['OK', 'OK', true, true],
  ['MARKET_CLOSED', 'Market closed', true, true],
  ['MARKET_CLOSED', 'Market closed', false, false],
  ['STALE', 'Stale', true, false],
  ['ORACLE_PAUSED', 'Oracle paused', true, false],
  ['STRADDLE', 'Straddle', true, false],
  ['CORPORATE_ACTION', 'Corporate action', true, false],
] as const)(
  'status %s is %j and has a price; serves when closed: %s; serves: %s (D11 to D14)',
  async (status, label, servesWhenClosed, served) => {
    await setStandInFeeds(chain.rpcUrl, [{ ...standIn, status, servesWhenClosed }])
    const round = served ? { answer: values.answer } : { reverts: 'FeedUnavailable' }
    expect((await read()).feeds).toEqual([{ feed, detail: { status: label, ...values }, round }])
  },
)

test('a feed without data has zeros, and its latestRoundData() reverts (D10)', async () => {
  await setStandInFeeds(chain.rpcUrl, [{ ...standIn, status: 'NO_DATA' }])
  const detail = { status: 'No data', answer: 0n, sharePrice: 0n, multiplier: 0n, observedAt: 0 }
  expect((await read()).feeds).toEqual([{ feed, detail, round: { reverts: 'FeedUnavailable' } }])
})

test('one price is one HTTP request to the node, and the list of all feeds is one too (D1, D17)', async () => {
  await using node = await startProxyNode(chain.rpcUrl)
  await read([feed], [node.url.href])
  expect(node.requests).toHaveLength(1)
  const { feeds } = await read(mainnet, [node.url.href])
  expect(node.requests).toHaveLength(2)
  expect(feeds.map(one => one.feed)).toEqual(mainnet)
})

test('status and latestRoundData() are of one block while the feed changes all the time (D1)', async () => {
  let isChanging = true
  const change = async () => {
    for (let changes = 0; isChanging; changes += 1) {
      await setStandInFeeds(chain.rpcUrl, [{ ...standIn, status: changes % 2 === 0 ? 'STALE' : 'OK' }])
    }
  }
  const changed = change()
  const seen = { OK: 0, Stale: 0, blocks: new Set<number>() }
  for (let reads = 0; reads < 1_000; reads += 1) {
    const { head, feeds } = await read()
    const [one] = feeds
    if (one === undefined || 'unreadable' in one) throw new Error('The feed was not read')
    const { status, servesLatestRoundData, latestRoundDataReverts, block } = toPriceRecord(one, head)
    expect(servesLatestRoundData).toBe(status === 'OK')
    expect(latestRoundDataReverts).toBe(status === 'OK' ? undefined : 'FeedUnavailable')
    if (status === 'OK' || status === 'Stale') seen[status] += 1
    seen.blocks.add(block)
  }
  isChanging = false
  await changed
  expect(seen.OK + seen.Stale).toBe(1_000)
  expect(seen.OK).toBeGreaterThan(0)
  expect(seen.Stale).toBeGreaterThan(0)
  expect(seen.blocks.size).toBeGreaterThan(100)
}, 60_000)

test('when a feed has no code, it alone is unreadable (D18, D19)', async () => {
  const code = await anvil().getCode({ address: feed.address })
  await anvil().setCode({ address: feed.address, bytecode: '0x' })
  const unreadable = { feed, unreadable: 'no contract is at its address' }
  expect((await read()).feeds).toEqual([unreadable])
  const { feeds } = await read(mainnet)
  expect(feeds[0]).toEqual(unreadable)
  for (const other of feeds.slice(1)) expect(other).toMatchObject({ detail: { status: 'OK' } })
  await anvil().setCode({ address: feed.address, bytecode: code ?? '0x' })
})

test('another chain than the network’s is the fault wrong-chain (D23)', async () => {
  expect(await faultsOf(feedsOf('testnet'), [chain.rpcUrl], 'testnet')).toEqual(['wrong-chain'])
})

/** Changes a request to be made at this block. */
function atBlock(request: string, block: number | bigint): string {
  const { params, ...envelope } = JSON.parse(request)
  return JSON.stringify({ ...envelope, params: [params[0], numberToHex(block)] })
}

test('a mainnet head is valid from 15 s ahead of our clock to 60 s behind it (D23)', async () => {
  const { number, timestamp } = await anvil().getBlock()
  // The chain goes on; the node stays at this block.
  await using node = await startProxyNode(chain.rpcUrl, request => atBlock(request, number))
  const at = async (milliseconds: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Number(timestamp) * 1_000 + milliseconds })
    const { reading, trace } = await readWithTrace([feed], [node.url.href])
    return reading instanceof Problem ? trace.faults[0]?.kind : 'valid'
  }
  expect(await at(60_000)).toBe('valid')
  expect(await at(60_001)).toBe('old-head')
  expect(await at(-15_000)).toBe('valid')
  expect(await at(-15_001)).toBe('future-head')
})

test('on a chain without ArbSys the program reverts, which is the fault rpc-error (D23)', async () => {
  const address = '0x0000000000000000000000000000000000000064'
  const code = await anvil().getCode({ address })
  await anvil().setCode({ address, bytecode: '0x' })
  expect(await faultsOf([feed], [chain.rpcUrl])).toEqual(['rpc-error', 'rpc-error'])
  await anvil().setCode({ address, bytecode: code ?? '0x' })
})

test('more feeds than one call can return are read in further calls, all at the block of the first (D17)', async () => {
  await using node = await startProxyNode(chain.rpcUrl, async request => {
    // One block per request.
    await anvil().mine({ blocks: 1 })
    return request
  })
  const { head, feeds } = await read(generated, [node.url.href])
  expect(feeds.map(one => one.feed)).toEqual(generated)
  for (const one of feeds) expect(one).toMatchObject({ detail: { status: 'OK' } })
  const pinned = numberToHex(head.block)
  expect(node.requests.map(blockOf)).toEqual(['latest', pinned, pinned, pinned])
  expect(node.requests.map(body => addressesOf(body).length)).toEqual([58, 58, 58, 31])
})

test('58 feeds are one request, and 59 feeds are two (D17)', async () => {
  await using node = await startProxyNode(chain.rpcUrl)
  await read(generated.slice(0, 58), [node.url.href])
  expect(node.requests).toHaveLength(1)
  await read(generated.slice(0, 59), [node.url.href])
  expect(node.requests).toHaveLength(3)
})

test('a node that answers a further call at another block is at fault (D17)', async () => {
  await using node = await startProxyNode(chain.rpcUrl, request =>
    blockOf(request) === 'latest' ? request : atBlock(request, Number(blockOf(request)) - 1),
  )
  expect(await faultsOf(generated, [node.url.href])).toEqual(['wrong-block'])
})
