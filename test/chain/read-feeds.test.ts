import {
  createTestClient,
  encodeErrorResult,
  encodeFunctionResult,
  type Hex,
  http,
  multicall3Abi,
  numberToHex,
  publicActions,
} from 'viem'
import { foundry } from 'viem/chains'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { feedAbi } from '../../lambda/chain/abis.ts'
import { decodeRows, type Row } from '../../lambda/chain/multicall.ts'
import type { Reading } from '../../lambda/chain/read-chunk.ts'
import { readFeeds } from '../../lambda/chain/read-feeds.ts'
import { toPriceRecord } from '../../lambda/feeds/price-record.ts'
import { type Feed, feedsOf, findFeed } from '../../lambda/feeds/registry.ts'
import { ChainUnavailable, FeedUnreadable } from '../../lambda/problems.ts'
import { type Chain, chainKinds, startChain } from '../../local/chains.ts'
import { misbehave, type StandInFeed, setStandInFeeds } from '../../local/stand-in-feed.ts'
import { startCountingNode } from './counting-node.ts'
import { startSickNode } from './sick-node.ts'

const observedAt = Math.floor(Date.now() / 1_000) - 60
const plain = { answer: 107_990_000_000n, sharePrice: 26_997_500_000n, multiplier: 4n * 10n ** 18n, observedAt }
const toStandIn = ({ address, token }: Feed): StandInFeed => ({
  address,
  token,
  status: 'OK',
  servesWhenClosed: true,
  ...plain,
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
  chain = await startChain({ ...chainKinds.mainnet, feeds: [...mainnet, ...generated].map(toStandIn) })
})
afterAll(() => chain.stop())
beforeEach(() => setStandInFeeds(chain.rpcUrl, [standIn]))
afterEach(() => vi.useRealTimers())

const anvil = () =>
  createTestClient({ chain: foundry, mode: 'anvil', transport: http(chain.rpcUrl) }).extend(publicActions)
const read = (feeds: readonly Feed[] = [feed], rpcUrls = [chain.rpcUrl], network: 'mainnet' | 'testnet' = 'mainnet') =>
  readFeeds(
    { network, feeds, maxHeadAgeSeconds: 60 },
    rpcUrls.map(rpcUrl => new URL(rpcUrl)),
    performance.now() + 3_500,
  )
const readingOf = ({ reads }: Reading) => reads[0]?.reading
const faultsOf = async (reading: Promise<Reading>) => {
  const error: unknown = await reading.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ChainUnavailable)
  return (error as ChainUnavailable).faults.map(({ kind }) => kind)
}

test('a served feed is read whole, at the chain’s own block and our own time (D13, D15)', async () => {
  const before = { block: Number(await anvil().getBlockNumber({ cacheTime: 0 })), time: Date.now() }
  const { head, reads } = await read()
  const after = { block: Number(await anvil().getBlockNumber({ cacheTime: 0 })), time: Date.now() }
  expect(reads).toEqual([
    { feed, reading: { detail: { status: 'OK', ...plain }, round: { answer: 107_990_000_000n } } },
  ])
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
  '%s is %j with its price; served when closed: %s; served: %s (D11 to D14)',
  async (status, label, servesWhenClosed, served) => {
    await setStandInFeeds(chain.rpcUrl, [{ ...standIn, status, servesWhenClosed }])
    expect(readingOf(await read())).toEqual({
      detail: { status: label, ...plain },
      round: served ? { answer: plain.answer } : { reverts: 'FeedUnavailable' },
    })
  },
)

test('a feed without data holds zeros, and serves nobody (D10)', async () => {
  await setStandInFeeds(chain.rpcUrl, [{ ...standIn, status: 'NO_DATA' }])
  expect(readingOf(await read())).toEqual({
    detail: { status: 'No data', answer: 0n, sharePrice: 0n, multiplier: 0n, observedAt: 0 },
    round: { reverts: 'FeedUnavailable' },
  })
})

test('one price is one HTTP request to the node, and so is the list of all feeds (D1, D17)', async () => {
  await using node = await startCountingNode(chain.rpcUrl)
  await read([feed], [node.url.href])
  expect(node.requests).toHaveLength(1)
  const { reads } = await read(mainnet, [node.url.href])
  expect(node.requests).toHaveLength(2)
  expect(reads.map(({ feed: { symbol } }) => symbol)).toEqual(mainnet.map(({ symbol }) => symbol))
})

test('status and served never disagree, however fast the feed flips (D1)', async () => {
  let flipping = true
  const flip = async () => {
    for (let flips = 0; flipping; flips += 1) {
      await setStandInFeeds(chain.rpcUrl, [{ ...standIn, status: flips % 2 === 0 ? 'STALE' : 'OK' }])
    }
  }
  const flipped = flip()
  const seen = { OK: 0, Stale: 0, blocks: new Set<number>() }
  for (let reads = 0; reads < 1_000; reads += 1) {
    const reading = await read()
    const one = readingOf(reading)
    if (one === undefined || one instanceof FeedUnreadable) throw new Error('The feed was not read')
    const { status, servesLatestRoundData, latestRoundDataReverts, block } = toPriceRecord(feed, one, reading.head)
    expect(servesLatestRoundData).toBe(status === 'OK')
    expect(latestRoundDataReverts).toBe(status === 'OK' ? undefined : 'FeedUnavailable')
    if (status === 'OK' || status === 'Stale') seen[status] += 1
    seen.blocks.add(block)
  }
  flipping = false
  await flipped
  expect(seen.OK + seen.Stale).toBe(1_000)
  expect(seen.OK).toBeGreaterThan(0)
  expect(seen.Stale).toBeGreaterThan(0)
  expect(seen.blocks.size).toBeGreaterThan(100)
}, 60_000)

const panic: Hex = '0x4e487b710000000000000000000000000000000000000000000000000000000000000011'
test.each<[string, Hex, string]>([
  ['NoHistory', encodeErrorResult({ abi: feedAbi, errorName: 'NoHistory' }), 'NoHistory'],
  ['a panic', panic, 'Panic'],
  ['an unknown error', '0x1234abcd00', '0x1234abcd'],
  ['no data at all', '0x', 'unnamed'],
])('latestRoundData() that reverts with %s is named (D14)', async (_, revert, name) => {
  await misbehave(chain.rpcUrl, feed.address, 'latestRoundData()', { revert })
  expect(readingOf(await read())).toMatchObject({ round: { reverts: name } })
  await misbehave(chain.rpcUrl, feed.address, 'latestRoundData()', 'behave')
})

test('latestRoundData() with another answer, or a malformed one, is not served and not a revert (D13)', async () => {
  const words = (...values: bigint[]): Hex => `0x${values.map(value => value.toString(16).padStart(64, '0')).join('')}`
  await misbehave(chain.rpcUrl, feed.address, 'latestRoundData()', { return: words(1n, plain.answer + 1n, 1n, 1n, 1n) })
  expect(readingOf(await read())).toMatchObject({ round: { answer: plain.answer + 1n } })
  await misbehave(chain.rpcUrl, feed.address, 'latestRoundData()', { return: '0x' })
  expect(readingOf(await read())).toMatchObject({ round: 'malformed' })
  await misbehave(chain.rpcUrl, feed.address, 'latestRoundData()', 'behave')
})

const eighth: Hex = `0x${'7'.padStart(64, '0')}${'1'.padStart(64, '0').repeat(4)}`
test.each<[string, { return: Hex } | { revert: Hex }, string]>([
  ['reverts without data', { revert: '0x' }, 'latestDetail() reverted with an unnamed error'],
  ['reverts by name', { revert: panic }, 'latestDetail() reverted with Panic'],
  ['answers nothing', { return: '0x' }, 'no contract is at its address'],
  ['answers too little', { return: '0x01' }, 'latestDetail() answered malformed data'],
  ['has an eighth status', { return: eighth }, 'its status is none of the seven'],
])('a feed that %s is unreadable, and in the list it alone (D18, D19)', async (_, manner, reason) => {
  await misbehave(chain.rpcUrl, feed.address, 'latestDetail()', manner)
  const unreadable = new FeedUnreadable(reason)
  expect(readingOf(await read())).toEqual(unreadable)
  const { reads } = await read(mainnet)
  expect(reads[0]?.reading).toEqual(unreadable)
  for (const { reading } of reads.slice(1)) expect(reading).toMatchObject({ detail: { status: 'OK' } })
  await misbehave(chain.rpcUrl, feed.address, 'latestDetail()', 'behave')
})

test('a feed without code is unreadable, and in the list it alone (D18, D19)', async () => {
  const code = await anvil().getCode({ address: feed.address })
  await anvil().setCode({ address: feed.address, bytecode: '0x' })
  const unreadable = new FeedUnreadable('no contract is at its address')
  expect(readingOf(await read())).toEqual(unreadable)
  const { reads } = await read(mainnet)
  expect(reads[0]?.reading).toEqual(unreadable)
  for (const { reading } of reads.slice(1)) expect(reading).toMatchObject({ detail: { status: 'OK' } })
  await anvil().setCode({ address: feed.address, bytecode: code ?? '0x' })
})

/** Endless: JUMPDEST, PUSH1 0, JUMP. */
const burner: Hex = '0x5b600056'

test('a feed that burns all its gas is unreadable, and takes no word from the feeds behind it (D2, D18)', async () => {
  const code = (await anvil().getCode({ address: feed.address })) ?? '0x'
  await anvil().setCode({ address: feed.address, bytecode: burner })
  const unreadable = new FeedUnreadable('latestDetail() reverted with an unnamed error')
  expect(readingOf(await read())).toEqual(unreadable)
  // So many behind it that the call itself runs out of gas.
  const asked = [...generated.slice(0, 4), feed, ...generated.slice(4, 64)]
  const { reads } = await read(asked)
  expect(reads.map(one => one.feed)).toEqual(asked)
  expect(reads.filter(({ reading }) => reading instanceof FeedUnreadable)).toEqual([{ feed, reading: unreadable }])
  await anvil().setCode({ address: feed.address, bytecode: code })
})

/** A million gas, and then five words of zero: PUSH3 40960, and 26 gas for each time that the loop counts one off. */
const hungry: Hex = '0x6200a0005b600190038060045760a06000f3'

test('a feed that was left too little gas by another is asked again, at the same block (D1, D2)', async () => {
  const [behind] = generated
  if (behind === undefined) throw new Error('There are no feeds')
  const codes = await Promise.all([feed, behind].map(({ address }) => anvil().getCode({ address })))
  await anvil().setCode({ address: feed.address, bytecode: burner })
  await anvil().setCode({ address: behind.address, bytecode: hungry })
  await using node = await startCountingNode(chain.rpcUrl)
  const { head, reads } = await read([feed, behind], [node.url.href])
  expect(reads.map(({ reading }) => reading)).toEqual([
    new FeedUnreadable('latestDetail() reverted with an unnamed error'),
    { detail: { status: 'OK', answer: 0n, observedAt: 0, sharePrice: 0n, multiplier: 0n }, round: { answer: 0n } },
  ])
  const tags = node.requests.map(request => JSON.parse(request).params[1])
  expect(tags).toEqual(['latest', numberToHex(head.block)])
  await anvil().setCode({ address: feed.address, bytecode: codes[0] ?? '0x' })
  await anvil().setCode({ address: behind.address, bytecode: codes[1] ?? '0x' })
})

test('another chain than the network’s is not believed (D23)', async () => {
  expect(await faultsOf(read(feedsOf('testnet'), [chain.rpcUrl], 'testnet'))).toEqual(['wrong-chain'])
})

test('a mainnet head is believed from 15 s ahead of our clock to 60 s behind it (D23)', async () => {
  const { timestamp } = await anvil().getBlock()
  // What the node said at that block, word for word but the id, however the chain goes on.
  let said: { result?: string } = {}
  await using echo = await startSickNode(async (response, request) => {
    const { params, ...envelope } = JSON.parse(request)
    const pinned = JSON.stringify({ ...envelope, params: [params[0], numberToHex(block)] })
    const headers = { 'Content-Type': 'application/json' }
    said = (await (await fetch(chain.rpcUrl, { method: 'POST', headers, body: pinned })).json()) as object
    response.end(JSON.stringify(said))
  })
  const block = await anvil().getBlockNumber({ cacheTime: 0 })
  const { timestamp: time } = await anvil().getBlock({ blockNumber: block })
  expect(time).toBeGreaterThanOrEqual(timestamp)
  const at = async (milliseconds: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Number(time) * 1_000 + milliseconds })
    const outcome = await read([feed], [echo.url.href]).then(readingOf, error => error.faults[0].kind)
    return outcome instanceof Object ? 'believed' : outcome
  }
  expect(await at(60_000)).toBe('believed')
  expect(await at(60_001)).toBe('old-head')
  expect(await at(-15_000)).toBe('believed')
  expect(await at(-15_001)).toBe('future-head')
})

test('a node without ArbSys or Multicall3 is not believed (D23)', async () => {
  for (const address of [
    '0x0000000000000000000000000000000000000064',
    '0xcA11bde05977b3631167028862bE2a173976CA11',
  ] as const) {
    const code = await anvil().getCode({ address })
    await anvil().setCode({ address, bytecode: '0x' })
    expect(await faultsOf(read())).toEqual(['malformed-result'])
    await anvil().setCode({ address, bytecode: code ?? '0x' })
  }
})

test('more than 100 feeds are read in chunks, all at the first one’s block (D17)', async () => {
  await using node = await startCountingNode(chain.rpcUrl, async request => {
    // A block between any two requests.
    await anvil().mine({ blocks: 1 })
    return request
  })
  const { head, reads } = await read(generated, [node.url.href])
  expect(reads).toHaveLength(205)
  for (const { reading } of reads) expect(reading).toMatchObject({ detail: { status: 'OK' } })
  expect(node.requests.map(request => JSON.parse(request).params[1])).toEqual([
    'latest',
    numberToHex(head.block),
    numberToHex(head.block),
  ])
  // A feed's part of the request is as long as any other's, and no feed is asked twice.
  const [whole = '', same, rest] = node.requests.toSorted((one, other) => other.length - one.length)
  expect(same?.length).toBeCloseTo(whole.length, -3)
  expect(rest?.length).toBeLessThan(whole.length / 10)
})

test('100 feeds are one request, and one more is two (D17)', async () => {
  await using node = await startCountingNode(chain.rpcUrl)
  await read(generated.slice(0, 100), [node.url.href])
  expect(node.requests).toHaveLength(1)
  await read(generated.slice(0, 101), [node.url.href])
  expect(node.requests).toHaveLength(3)
})

test('that one feed is unreadable needs the agreement of every endpoint; a list takes the first answer (D24)', async () => {
  const ghost: Feed = { ...feed, address: '0x00000000000000000000000000000000000000AA' }
  await using first = await startCountingNode(chain.rpcUrl)
  await using second = await startCountingNode(chain.rpcUrl)
  const endpoints = [first.url.href, second.url.href]
  expect(readingOf(await read([ghost], endpoints))).toBeInstanceOf(FeedUnreadable)
  expect([first.requests.length, second.requests.length]).toEqual([1, 1])
  const { reads } = await read([ghost, feed], endpoints)
  expect(reads[0]?.reading).toBeInstanceOf(FeedUnreadable)
  expect([first.requests.length, second.requests.length]).toEqual([2, 1])
})

test('an endpoint that finds a feed readable overrules one that does not (D2, D24)', async () => {
  await using blind = await startSickNode(async (response, request) => {
    const answer = await fetch(chain.rpcUrl, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: request,
    })
    // The same answer, but for the feed: it says nothing.
    const { result, ...envelope } = JSON.parse(await answer.text())
    const encode = (rows: readonly Row[]) =>
      encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result: rows })
    const nothing = { success: true, returnData: '0x' } as const
    const said = { success: true, returnData: encode([nothing, nothing]) }
    const dumb = encode([...decodeRows(result, 4).slice(0, 3), said])
    response.end(JSON.stringify({ ...envelope, result: dumb }))
  })
  expect(readingOf(await read([feed], [blind.url.href]))).toBeInstanceOf(FeedUnreadable)
  expect(readingOf(await read([feed], [blind.url.href, chain.rpcUrl]))).toMatchObject({ detail: { status: 'OK' } })
})

test('a node that answers a further chunk at another block is not believed (D17)', async () => {
  await using node = await startCountingNode(chain.rpcUrl, request => {
    const { params, ...envelope } = JSON.parse(request)
    const pinned = params[1] === 'latest' ? 'latest' : numberToHex(Number(params[1]) - 1)
    return JSON.stringify({ ...envelope, params: [params[0], pinned] })
  })
  expect(await faultsOf(read(generated, [node.url.href]))).toEqual(['wrong-block'])
})

test('an endpoint that fails is followed by the next (D24)', async () => {
  const reading = await read([feed], ['http://127.0.0.1:9', chain.rpcUrl])
  expect(readingOf(reading)).toMatchObject({ detail: { status: 'OK' } })
})

test('every registered feed is found by its symbol and read', async () => {
  const { reads } = await read(mainnet.map(({ symbol }) => findFeed('mainnet', symbol) ?? feed))
  expect(reads.map(({ feed: { address } }) => address)).toEqual(mainnet.map(({ address }) => address))
})

test('each feed is asked by itself only in a list, and only if the call may have run out of gas (D2)', async () => {
  await using erring = await startSickNode((response, body) => {
    const { id } = JSON.parse(body)
    response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message: 'out of gas' } }))
  })
  await using down = await startSickNode(response => response.writeHead(502).end())
  const counts = () => [erring.requests.length, down.requests.length]
  expect(await faultsOf(read([feed], [erring.url.href]))).toEqual(['rpc-error'])
  expect(counts()).toEqual([1, 0])
  expect(await faultsOf(read(mainnet, [down.url.href]))).toEqual(['http-status'])
  expect(counts()).toEqual([1, 1])
  expect(await faultsOf(read(mainnet, [down.url.href, erring.url.href]))).toEqual([
    'http-status',
    'rpc-error',
    'http-status',
    'rpc-error',
  ])
  expect(counts()).toEqual([3, 3])
})

test('a list that was read feed by feed tells also of the faults before (D25)', async () => {
  let asked = 0
  await using node = await startSickNode(async (response, body) => {
    asked += 1
    if (asked === 1) {
      response.end(
        JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, error: { code: -32_000, message: 'gas' } }),
      )
      return
    }
    const headers = { 'Content-Type': 'application/json' }
    response.end(await (await fetch(chain.rpcUrl, { method: 'POST', headers, body })).text())
  })
  const { course, reads } = await read(mainnet, [node.url.href])
  expect(reads).toHaveLength(mainnet.length)
  expect(course).toEqual({ endpoint: 'rpc-1', attempts: 2, faults: [{ endpoint: 'rpc-1', kind: 'rpc-error' }] })
})
