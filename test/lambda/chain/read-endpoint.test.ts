import { numberToHex } from 'viem'
import { robinhood } from 'viem/chains'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readEndpoint } from '../../../lambda/chain/read-endpoint.ts'
import { Fault } from '../../../lambda/faults.ts'
import type { Feed } from '../../../lambda/feeds/registry.ts'
import { addressesOf, encodeOutput, rowOf, rowWithoutCode } from '../../support/chain/encoding.ts'
import { blockOf, startFaultyNode, toReply } from '../../support/chain/faulty-node.ts'

const feed = {
  symbol: 'A',
  name: 'A',
  address: numberToHex(0x1000, { size: 20 }),
  token: numberToHex(0x2000, { size: 20 }),
  maxAgeSeconds: 1,
}
const now = 1_790_984_206
const latest = { chainId: 4_663, time: now, block: 7 }
const row = rowOf(5n)

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: now * 1_000 }))
afterEach(() => vi.useRealTimers())

const read = (rpcUrl: URL, feeds: readonly Feed[]) =>
  readEndpoint(rpcUrl, { network: 'mainnet', feeds }, undefined, new AbortController().signal)

/** Reads feeds at a node that returns this output. */
async function readOutput(output: string, feeds = [feed]) {
  await using node = await startFaultyNode((response, body) => response.end(toReply(body, output)))
  return await read(node.url, feeds)
}

test('a reading has the feeds, the chain, the block, both times, and the rows as they came', async () => {
  expect(await readOutput(encodeOutput(latest, [row]))).toEqual({
    chain: robinhood,
    block: 7,
    readAt: new Date(now * 1_000),
    blockTime: now,
    feeds: [
      {
        feed,
        detail: { status: 'OK', answer: 5n, observedAt: 1, sharePrice: 5n, multiplier: 1n },
        roundData: { answer: 5n },
      },
    ],
    rows: row.slice(2),
  })
})

test('the time of a reading is that of the first reply, also of several calls (D15)', async () => {
  await using node = await startFaultyNode((response, body) => {
    vi.setSystemTime(Date.now() + 700)
    const rows = addressesOf(body).map(() => row)
    response.end(toReply(body, encodeOutput(latest, rows)))
  })
  for (const count of [1, 59]) {
    vi.setSystemTime(now * 1_000)
    const { readAt } = await read(node.url, Array(count).fill(feed))
    expect(readAt).toEqual(new Date(now * 1_000 + 700))
  }
})

test('a mainnet head is valid from 15 s ahead of our clock to 60 s behind it (D23)', async () => {
  const output = encodeOutput(latest, [row])
  const readAfter = (milliseconds: number) => {
    vi.setSystemTime(now * 1_000 + milliseconds)
    return readOutput(output)
  }
  await expect(readAfter(60_000)).resolves.toBeDefined()
  await expect(readAfter(60_001)).rejects.toEqual(new Fault('old-head'))
  await expect(readAfter(-15_000)).resolves.toBeDefined()
  await expect(readAfter(-15_001)).rejects.toEqual(new Fault('future-head'))
})

test('a further call at the block of the first but at another time is a fault (D17)', async () => {
  let time = now
  await using node = await startFaultyNode((response, body) => {
    const rows = addressesOf(body).map(() => row)
    response.end(toReply(body, encodeOutput({ ...latest, time }, rows)))
    time -= 1
  })
  await expect(read(node.url, Array(59).fill(feed))).rejects.toEqual(new Fault('wrong-block'))
  expect(node.requests).toHaveLength(2)
})

test('that none of two feeds has code is a fault (D24)', async () => {
  const output = encodeOutput(latest, [rowWithoutCode, rowWithoutCode])
  await expect(readOutput(output, [feed, feed])).rejects.toEqual(new Fault('no-state'))
})

/** Six calls. The address of each feed is its answer. */
const manyFeeds = Array.from({ length: 5 * 58 + 1 }, (_, index) => ({
  ...feed,
  address: numberToHex(index + 1, { size: 20 }),
}))
const toRow = (address: string) => rowOf(BigInt(address))

test('further calls, four at once, continue the list at the block of the first (D17)', async () => {
  const waiting: (() => void)[] = []
  const blocks: string[] = []
  let atOnce = 0
  await using node = await startFaultyNode(async (response, body) => {
    blocks.push(blockOf(body))
    const reply = toReply(body, encodeOutput(latest, addressesOf(body).map(toRow)))
    if (blocks.length === 1) return void response.end(reply)
    waiting.push(() => response.end(reply))
    atOnce = Math.max(atOnce, waiting.length)
    // Those of the first four are answered in reverse order.
    if (blocks.length >= 5) for (const respond of waiting.splice(0).toReversed()) respond()
  })
  const { feeds, rows } = await read(node.url, manyFeeds)
  expect(feeds.map(read => ('detail' in read ? read.detail.answer : undefined))).toEqual(
    manyFeeds.map(({ address }) => BigInt(address)),
  )
  expect(rows).toBe(manyFeeds.map(({ address }) => toRow(address).slice(2)).join(''))
  expect({ atOnce, blocks }).toEqual({ atOnce: 4, blocks: ['latest', ...Array(5).fill('0x7')] })
})

test('the first fault ends all further calls', async () => {
  await using node = await startFaultyNode((response, body) => {
    if (node.requests.length === 1) response.end(toReply(body, encodeOutput(latest, addressesOf(body).map(toRow))))
    if (node.requests.length === 5) response.writeHead(429).end()
  })
  await expect(read(node.url, manyFeeds)).rejects.toEqual(new Fault('rate-limited', { httpStatus: 429 }))
  await expect.poll(node.countOpen).toBeLessThanOrEqual(1)
  expect(node.requests).toHaveLength(5)
})
