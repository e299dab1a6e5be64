import { createTestClient, http, numberToHex } from 'viem'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decodeFeed } from '../../lambda/chain/decode-feed.ts'
import { ethCall } from '../../lambda/chain/eth-call.ts'
import { encodeProgram, rowAt, splitOutput } from '../../lambda/chain/program.ts'
import registry from '../../lambda/feeds/registry.json' with { type: 'json' }
import { type Feed, feedsOf } from '../../lambda/feeds/registry.ts'
import { startChain, toChainKind } from '../../local/chains/chains.ts'
import { toStandInFeeds } from '../../local/chains/stand-in-feeds.ts'
import { returned, reverted } from '../support/chain/encoding.ts'
import { forward, startProxyNode } from '../support/chain/faulty-node.ts'
import { addressesWithoutCode, burners, type HostileFeed, hostileFeeds } from '../support/hostile/feeds.ts'

/** So few feeds that each call gets the maximum of 600,000 gas, out of the 50 million of the chain. */
const feeds = feedsOf('mainnet').slice(0, 21)
const firstMiddleLast = [0, Math.floor(feeds.length / 2), feeds.length - 1]

// The chain of the testnet makes no blocks by itself, so rows cannot change between two reads.
const standIns = toStandInFeeds('mainnet', registry.mainnet, Math.floor(Date.now() / 1_000))
const chain = await startChain({ ...toChainKind('testnet'), feeds: standIns })
const anvil = createTestClient({ chain: foundry, mode: 'anvil', transport: http(chain.rpcUrl) })
/** The snapshot of the chain without a hostile feed. */
let original = await anvil.snapshot()
/** The row of every feed when it is read alone. */
const originalRows: string[] = []

beforeAll(async () => {
  for (const feed of feeds) originalRows.push(await readAlone(feed))
})
afterAll(() => chain.stop())

type Replacement = Omit<HostileFeed, 'control'>

/** Puts hostile feeds in some places of the original list, and returns the list. */
async function replaceFeeds(hostileAt: (place: number) => Replacement | undefined): Promise<readonly Feed[]> {
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

/** Reads a list with one call. Returns each feed's row, and what it is decoded to. */
async function read(list: readonly Feed[], rpcUrl = chain.rpcUrl) {
  const initCode = encodeProgram(list.map(({ address }) => address))
  const output = await ethCall(new URL(rpcUrl), initCode, 'latest', new AbortController().signal)
  const { rows } = splitOutput(output, list.length)
  return list.map((feed, place) => ({ row: rowAt(rows, place), reading: decodeFeed(feed, rowAt(rows, place)) }))
}

const readAlone = async (feed: Feed) => (await read([feed])).map(({ row }) => row).join()

/**
 * Reads the list with a hostile feed in one place, and expects that no other row has changed. Returns the row of the
 * hostile feed, and what it is decoded to.
 */
async function readHostile(hostile: Replacement, hostilePlace: number) {
  const list = await replaceFeeds(place => (place === hostilePlace ? hostile : undefined))
  const all = await read(list)
  const changed = all.filter(({ row }, place) => place !== hostilePlace && row !== originalRows[place])
  expect(changed).toEqual([])
  return { feed: list[hostilePlace] as Feed, ...all[hostilePlace] }
}

/** Sends a request to the chain, and returns its reply. */
async function request(method: string, ...params: readonly unknown[]) {
  return JSON.parse(await forward(chain.rpcUrl, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })))
}

test.each(hostileFeeds)('a feed that $name does so when it is called directly', async ({ control, ...hostile }) => {
  const [feed] = await replaceFeeds(place => (place === 0 ? hostile : undefined))
  const to = feed?.address
  await control(
    async options => {
      const { result, error } = await request('eth_call', { to, data: '0x4d8b59fb', ...options }, 'latest')
      return error === undefined ? returned(result) : reverted(error.data ?? '0x')
    },
    // A call is traced, and no transaction is sent: anvil may return a receipt before it has removed the transaction
    // from its pool. If `replaceFeeds` reverts the block then, the next transaction gets a nonce that is too high, and
    // is never mined.
    async gas => {
      const transaction = { to, data: '0x4d8b59fb', gas: numberToHex(gas) }
      return (await request('debug_traceCall', transaction, 'latest', { tracer: 'callTracer' })).result
    },
  )
})

test.each(hostileFeeds)('a feed that $name changes no other row, in any place (D17)', async hostile => {
  for (const place of firstMiddleLast) {
    const { feed, row } = await readHostile(hostile, place)
    expect(row).toBe(await readAlone(feed))
    if (hostile.size !== undefined) expect(Number(`0x${row?.slice(96, 128)}`)).toBe(hostile.size)
  }
})

test.each(addressesWithoutCode)('a feed that $name has no contract, and changes no other row (D18)', async hostile => {
  for (const place of firstMiddleLast)
    expect(await readHostile(hostile, place)).toMatchObject({
      reading: { hasCode: false, unreadable: 'no contract is at its address' },
    })
})

test('with little gas, each feed of a burning list has the row that it has alone (D17)', async () => {
  const list = await replaceFeeds(place => burners[place % burners.length])
  const alone: string[] = []
  for (const feed of list.slice(0, burners.length)) alone.push(await readAlone(feed))
  // The gas that the program needs (`lambda/chain/program.yul`), and as much as one call for the program's own start.
  const gas = (2 * feeds.length + 1) * 300_000 + (96 + 416 * feeds.length) * 200 + 300_000
  await using frugal = await startProxyNode(chain.rpcUrl, request =>
    request.replace('{"data"', `{"gas":"${numberToHex(gas)}","data"`),
  )
  const rows = (await read(list, frugal.url.href)).map(({ row }) => row)
  expect(rows).toEqual(feeds.map((_, place) => alone[place % burners.length]))
})
