import { isDeepStrictEqual } from 'node:util'
import { createTestClient, http, numberToHex } from 'viem'
import { foundry } from 'viem/chains'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { Problem } from '../../api/problems.ts'
import { noContract } from '../../lambda/chain/decode-feed.ts'
import { type Reading, readEndpoint } from '../../lambda/chain/read-endpoint.ts'
import { readFeeds } from '../../lambda/chain/read-feeds.ts'
import registry from '../../lambda/feeds/registry.json' with { type: 'json' }
import { type Feed, feedsOf } from '../../lambda/feeds/registry.ts'
import { readMs } from '../../lambda/timing.ts'
import { startChain, toChainKind } from '../../local/chains/chains.ts'
import { toStandInFeeds } from '../../local/chains/stand-in-feeds.ts'
import { startProxyNode } from '../support/chain/faulty-node.ts'
import { stopClock } from '../support/clock.ts'
import { addressesWithoutCode, burners, type HostileFeed, hostileFeeds } from '../support/hostile/feeds.ts'

/** So few that each call has its maximum of 600,000 gas, of the 50 million of the chain. */
const feeds = feedsOf('mainnet').slice(0, 21)
const firstMiddleLast = [0, Math.floor(feeds.length / 2), feeds.length - 1]

// The chain of the testnet makes no blocks by itself, so rows cannot change between two reads.
const standIns = toStandInFeeds('mainnet', registry.mainnet, Math.floor(Date.now() / 1_000))
const chain = await startChain({ ...toChainKind('testnet'), feeds: standIns })
const node = await startProxyNode(chain.rpcUrl)
const anvil = createTestClient({ chain: foundry, mode: 'anvil', transport: http(chain.rpcUrl) })
/** The chain without a hostile feed. */
let original = await anvil.snapshot()
/** What every feed returns when it is read alone. */
const originals: Reading['feeds'][number][] = []

beforeAll(async () => {
  for (const feed of feeds) originals.push(...(await read([feed])).feeds)
})
afterEach(() => vi.useRealTimers())
afterAll(async () => {
  await node.stop()
  await chain.stop()
})

/** Puts hostile feeds in some places of the original list, and returns the list. */
async function replaceFeeds(hostileAt: (place: number) => HostileFeed | undefined): Promise<readonly Feed[]> {
  await anvil.revert({ id: original })
  original = await anvil.snapshot()
  const list: Feed[] = []
  for (const [place, feed] of feeds.entries()) {
    const { code, address = feed.address } = hostileAt(place) ?? {}
    if (code !== undefined) await anvil.setCode({ address, bytecode: code })
    list.push({ ...feed, address })
  }
  return list
}

/** Reads a list with one request. */
async function read(list: readonly Feed[]): Promise<Reading> {
  const before = node.requests.length
  const { signal } = new AbortController()
  const reading = await readEndpoint(node.url, { network: 'testnet', feeds: list }, signal)
  expect(node.requests.length - before).toBe(1)
  return reading
}

/** The symbols of the other feeds that do not return what they return when they are read alone. */
const findChanged = (reading: Reading, hostilePlace: number) =>
  reading.feeds.flatMap((read, place) =>
    place === hostilePlace || isDeepStrictEqual(read, originals[place]) ? [] : [feeds[place]?.symbol],
  )

test.each(hostileFeeds)('a feed that $name changes no other row, in any place (D17)', async hostile => {
  for (const place of firstMiddleLast) {
    const list = await replaceFeeds(index => (index === place ? hostile : undefined))
    const reading = await read(list)
    expect(findChanged(reading, place)).toEqual([])
    if (!hostile.varies) expect([reading.feeds[place]]).toEqual((await read(list.slice(place, place + 1))).feeds)
  }
})

test.each(addressesWithoutCode)('a feed that $name has no contract, and changes no other row (D18)', async hostile => {
  for (const place of firstMiddleLast) {
    const reading = await read(await replaceFeeds(index => (index === place ? hostile : undefined)))
    expect(reading.feeds[place]).toMatchObject({ unreadable: noContract })
    expect(findChanged(reading, place)).toEqual([])
  }
})

test('with little gas, each feed of a burning list returns what it returns alone (D17)', async () => {
  const list = await replaceFeeds(place => burners[place % burners.length])
  const alone: Reading['feeds'][number][] = []
  for (const [place] of list.entries()) alone.push(...(await read(list.slice(place, place + 1))).feeds)
  // What the program needs (`lambda/chain/feed-reader.yul`), and as much as one call to execute it.
  const gas = (2 * feeds.length + 1) * 300_000 + (96 + 416 * feeds.length) * 200 + 300_000
  await using frugal = await startProxyNode(chain.rpcUrl, request =>
    request.replace('{"data"', `{"gas":"${numberToHex(gas)}","data"`),
  )
  stopClock()
  const options = { rpcUrls: [frugal.url], deadline: performance.now() + readMs }
  const { reading, trace } = await readFeeds({ network: 'testnet', feeds: list }, options)
  expect(trace).toMatchObject({ attempts: 1, faults: [], endpoint: 'rpc-1', round: 1 })
  if (reading instanceof Problem) throw reading
  expect(reading.feeds).toEqual(alone)
})
