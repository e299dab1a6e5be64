import { encodeFunctionResult, type Hex, multicall3Abi, numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { Fault } from '../../lambda/chain/fault.ts'
import type { Row } from '../../lambda/chain/multicall.ts'
import { type Question, readChunk } from '../../lambda/chain/read-chunk.ts'
import { FeedUnreadable } from '../../lambda/problems.ts'
import { startSickNode, toReply } from './sick-node.ts'

const feeds = ['A', 'B', 'C'].map((symbol, index) => ({
  symbol,
  address: numberToHex(0x1000 + index, { size: 20 }),
  token: numberToHex(0x2000 + index, { size: 20 }),
}))

const word = (value: number | bigint): Hex => numberToHex(value, { size: 32 })
const words = (...values: number[]): Hex => `0x${values.map(value => word(value).slice(2)).join('')}`
const answered = (returnData: Hex): Row => ({ success: true, returnData })
const reverted = (returnData: Hex): Row => ({ success: false, returnData })
const encode = (rows: readonly Row[]) =>
  encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result: rows })

const now = () => Math.floor(Date.now() / 1_000)
const headRows = () => [answered(word(4_663)), answered(word(now())), answered(word(7))]
const detail = answered(words(0, 5, 1, 5, 1))
const round = answered(words(1, 5, 1, 1, 1))
const feedRow = (one = detail, other = round) => answered(encode([one, other]))

/** Reads the feeds at a node that answers with these rows, whatever it is asked. */
async function readRows(rows: readonly Row[], asked = feeds.slice(0, 1)) {
  await using node = await startSickNode((response, body) => response.end(toReply(body, encode(rows))))
  const question: Question = { network: 'mainnet', feeds: asked, maxHeadAgeSeconds: 60 }
  return await readChunk(node.url, question, 'latest', AbortSignal.timeout(5_000))
}

test('a feed is read beside the chain, its block and its time', async () => {
  const { head, headAgeSeconds, reads } = await readRows([...headRows(), feedRow()])
  expect(head).toMatchObject({ chain: { id: 4_663 }, block: 7, readAt: expect.any(Date) })
  expect(headAgeSeconds).toBeGreaterThanOrEqual(0)
  expect(headAgeSeconds).toBeLessThan(5)
  expect(reads).toEqual([
    {
      feed: feeds[0],
      reading: {
        detail: { status: 'OK', answer: 5n, observedAt: 1, sharePrice: 5n, multiplier: 1n },
        round: { answer: 5n },
      },
    },
  ])
})

test.each([0, 1, 2])('a head whose row %i failed, or is no whole word, is not believed (D23)', async at => {
  for (const row of [reverted(headRows()[at]?.returnData ?? '0x'), reverted('0x'), answered('0x'), answered('0x01')]) {
    const rows = headRows().map((good, index) => (index === at ? row : good))
    await expect(readRows([...rows, feedRow()])).rejects.toEqual(new Fault('malformed-result'))
  }
})

test('a block beyond what JSON can hold exactly is not believed', async () => {
  const rows = [...headRows().slice(0, 2), answered(word(2n ** 53n))]
  await expect(readRows([...rows, feedRow()])).rejects.toEqual(new Fault('malformed-result'))
  const largest = [...headRows().slice(0, 2), answered(word(2n ** 53n - 1n))]
  expect((await readRows([...largest, feedRow()])).head.block).toBe(Number.MAX_SAFE_INTEGER)
})

test('a feed’s row that holds more or less than two calls is not believed (D23)', async () => {
  for (const inner of [[detail], [detail, round, round]]) {
    await expect(readRows([...headRows(), answered(encode(inner))])).rejects.toEqual(new Fault('malformed-result'))
  }
})

test('a feed’s row that reverts with a word is not believed: a multicall has none (D23)', async () => {
  await expect(readRows([...headRows(), reverted('0xc4e5ad09')])).rejects.toEqual(new Fault('malformed-result'))
})

test('a feed that left nothing to answer with is unreadable', async () => {
  const { reads } = await readRows([...headRows(), reverted('0x')])
  expect(reads[0]?.reading).toEqual(new FeedUnreadable('latestDetail() reverted with an unnamed error'))
})

test.each<[string, Row, number]>([
  ['serves', feedRow(), 3],
  ['reverts with a word', feedRow(detail, reverted('0xc4e5ad09')), 3],
  ['is unreadable with a word', feedRow(reverted('0xc4e5ad09')), 3],
  ['answers nothing', feedRow(answered('0x'), answered('0x')), 3],
  ['has a round that fails without a word', feedRow(detail, reverted('0x')), 1],
  ['has a detail that fails without a word', feedRow(reverted('0x')), 1],
  ['fails without a word altogether', reverted('0x'), 1],
])('behind a first feed that %s, others are believed or asked again (D2)', async (_, first, believed) => {
  const { reads } = await readRows([...headRows(), first, feedRow(), feedRow()], feeds)
  expect(reads.map(({ feed: { symbol } }) => symbol)).toEqual(['A', 'B', 'C'].slice(0, believed))
})

test.each([
  ['round', feedRow(detail, reverted('0x'))],
  ['detail', feedRow(reverted('0x'))],
  ['row', reverted('0x')],
])('a further feed whose %s fails without a word may have lacked gas, and is asked again (D2)', async (_, mute) => {
  const { reads } = await readRows([...headRows(), feedRow(), mute, feedRow()], feeds)
  expect(reads.map(({ feed: { symbol } }) => symbol)).toEqual(['A'])
})

test('an answer is bounded in proportion to the feeds, and of one feed by what its gas can buy (D18)', async () => {
  const long = (bytes: number) => feedRow(reverted(`0xc4e5ad09${'00'.repeat(bytes)}`))
  const two = feeds.slice(0, 2)
  // As JSON, two characters a byte: two feeds may take 82 kB in all, and one may take 4 MiB.
  expect((await readRows([...headRows(), long(39_000), feedRow()], two)).reads).toHaveLength(2)
  await expect(readRows([...headRows(), long(42_000), feedRow()], two)).rejects.toEqual(new Fault('oversized'))
  expect((await readRows([...headRows(), long(42_000), feedRow(), feedRow()], feeds)).reads).toHaveLength(3)
  expect((await readRows([...headRows(), long(2_000_000)])).reads).toHaveLength(1)
  await expect(readRows([...headRows(), long(2_200_000)])).rejects.toEqual(new Fault('oversized'))
})
