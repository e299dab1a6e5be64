import { createTestClient, type Hex, http, publicActions } from 'viem'
import { foundry } from 'viem/chains'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { noContract } from '../../lambda/chain/decode-feed.ts'
import { rowAt } from '../../lambda/chain/feed-reader.ts'
import { type Reading, readEndpoint } from '../../lambda/chain/read-call.ts'
import { readFeeds } from '../../lambda/chain/read-feeds.ts'
import { Fault } from '../../lambda/faults.ts'
import registry from '../../lambda/feeds/registry.json' with { type: 'json' }
import { type Feed, feedsOf } from '../../lambda/feeds/registry.ts'
import { Problem } from '../../lambda/problems.ts'
import { readMs } from '../../lambda/timing.ts'
import { type Chain, startChain, toChainKind } from '../../local/chains/chains.ts'
import { toStandInFeeds } from '../../local/chains/stand-in-feeds.ts'
import { type FaultyNode, startProxyNode } from '../support/chain/faulty-node.ts'
import { stopClock } from '../support/clock.ts'
import { addressesWithoutCode, burners, type HostileFeed, hostileFeeds } from '../support/hostile/feeds.ts'

const feeds = feedsOf('mainnet')
const places = feeds.map((_, place) => place)
const firstMiddleLast = [0, 10, 20]

let chain: Chain
let node: FaultyNode
let anvil: ReturnType<typeof connect>
/** The code of every feed, and its row when it is read alone. */
let original: readonly { readonly code: Hex; readonly row: string }[]

const connect = () =>
  createTestClient({ chain: foundry, mode: 'anvil', transport: http(chain.rpcUrl) }).extend(publicActions)

beforeAll(async () => {
  // The chain of the testnet makes no blocks by itself, so rows cannot change between two reads.
  const startedAt = Math.floor(Date.now() / 1_000)
  chain = await startChain({ ...toChainKind('testnet'), feeds: toStandInFeeds('mainnet', registry.mainnet, startedAt) })
  node = await startProxyNode(chain.rpcUrl)
  anvil = connect()
  const found = []
  for (const feed of feeds) {
    const code = (await anvil.getCode({ address: feed.address })) ?? '0x'
    found.push({ code, row: (await read([feed])).rows })
  }
  original = found
})
afterEach(() => vi.useRealTimers())
afterAll(async () => {
  await node.stop()
  await chain.stop()
})

/** The places of the hostile feed. */
let replaced: readonly number[] = []

/** Puts a hostile feed in these places, and returns the list. */
async function replaceFeeds({ code, address }: HostileFeed, hostile: readonly number[]): Promise<readonly Feed[]> {
  await setCodes(replaced, place => original[place]?.code)
  replaced = hostile
  await setCodes(hostile, () => code)
  return feeds.map((feed, place) => (address !== undefined && hostile.includes(place) ? { ...feed, address } : feed))
}

async function setCodes(changed: readonly number[], codeOf: (place: number) => Hex | undefined): Promise<void> {
  const set = changed.map(place => {
    const [address, bytecode] = [feeds[place]?.address, codeOf(place)]
    return address && bytecode ? anvil.setCode({ address, bytecode }) : undefined
  })
  await Promise.all(set)
}

/** Reads a list with one request. */
async function read(list: readonly Feed[]): Promise<Reading> {
  const before = node.requests.length
  const { signal } = new AbortController()
  const reading = await readEndpoint(node.url, { network: 'testnet', feeds: list }, undefined, signal)
  expect(node.requests.length - before).toBe(1)
  return reading
}

const rowsOf = ({ rows }: Reading) => places.map(place => rowAt(rows, place))

/** The symbols of the other feeds whose rows are not those that they have when they are read alone. */
const findChanged = (reading: Reading, hostile: readonly number[]) =>
  rowsOf(reading).flatMap((row, place) =>
    hostile.includes(place) || row === original[place]?.row ? [] : [feeds[place]?.symbol],
  )

test.each(hostileFeeds)('a feed that $name changes no other row, in any place (D17, D18)', async hostile => {
  let alone = ''
  for (const place of firstMiddleLast) {
    const list = await replaceFeeds(hostile, [place])
    if (alone === '') alone = (await read(list.slice(place, place + 1))).rows
    const reading = await read(list)
    expect(findChanged(reading, [place])).toEqual([])
    if (!hostile.varies) expect(rowsOf(reading)[place]).toBe(alone)
  }
})

test.each(addressesWithoutCode)('a feed that $name has no contract, and changes no other row (D18)', async hostile => {
  for (const place of firstMiddleLast) {
    const reading = await read(await replaceFeeds(hostile, [place]))
    expect(reading.feeds[place]).toMatchObject({ unreadable: noContract })
    expect(findChanged(reading, [place])).toEqual([])
  }
  await expect(read(await replaceFeeds(hostile, places))).rejects.toEqual(new Fault('no-state'))
})

test('a list of burning feeds is read with the first attempt, and each has the row as alone (D17, D18)', async () => {
  const alone: string[] = []
  for (const burner of burners) alone.push((await read((await replaceFeeds(burner, [0])).slice(0, 1))).rows)
  await replaceFeeds({ name: 'none' }, places)
  await setCodes(places, place => burners[place % burners.length]?.code)
  stopClock()
  const options = { rpcUrls: [node.url], agreement: 1, deadline: performance.now() + readMs }
  const { reading, trace } = await readFeeds({ network: 'testnet', feeds }, options)
  expect(trace).toMatchObject({ attempts: 1, faults: [], endpoint: 'rpc-1', round: 1 })
  if (reading instanceof Problem) throw reading
  expect(rowsOf(reading)).toEqual(places.map(place => alone[place % burners.length]))
})

test('afterwards, every feed is as before', async () => {
  await replaceFeeds({ name: 'none' }, [])
  expect(findChanged(await read(feeds), [])).toEqual([])
})
