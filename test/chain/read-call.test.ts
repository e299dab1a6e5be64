import { numberToHex } from 'viem'
import { expect, test } from 'vitest'
import type { Row } from '../../lambda/chain/multicall.ts'
import { type ReadRequest, readCall } from '../../lambda/chain/read-call.ts'
import { Fault } from '../../lambda/faults.ts'
import { encodeRows, returned, reverted, words } from './encoding.ts'
import { startFaultyNode, toReply } from './faulty-node.ts'

const feeds = ['A', 'B', 'C'].map((symbol, index) => ({
  symbol,
  address: numberToHex(0x1000 + index, { size: 20 }),
  token: numberToHex(0x2000 + index, { size: 20 }),
}))

const now = () => Math.floor(Date.now() / 1_000)
const headRows = () => [returned(words(4_663)), returned(words(now())), returned(words(7))]
const detail = returned(words(0, 5, 1, 5, 1))
const round = returned(words(1, 5, 1, 1, 1))
const feedRow = (one = detail, other = round) => returned(encodeRows([one, other]))

const probe = (success: boolean): Row => ({ success, returnData: '0x' })

/** Reads the feeds at a node that returns these rows for every request. */
async function readRows(rows: readonly Row[], asked = feeds.slice(0, 1)) {
  await using node = await startFaultyNode((response, body) => response.end(toReply(body, encodeRows(rows))))
  const request: ReadRequest = { network: 'mainnet', feeds: asked }
  const limits = { signal: AbortSignal.timeout(5_000), countRequest: () => {} }
  return await readCall(node.url, request, undefined, limits)
}

test('a reading has the feed, the chain, the block and its time', async () => {
  const { head, blockTime, reads } = await readRows([...headRows(), feedRow()])
  expect(head).toMatchObject({ chain: { id: 4_663 }, block: 7, readAt: expect.any(Date) })
  expect(Math.abs(blockTime - now())).toBeLessThan(5)
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

test.each([0, 1, 2])('a head whose row %i failed, or is not one word, is a fault (D23)', async at => {
  for (const row of [reverted(headRows()[at]?.returnData ?? '0x'), reverted('0x'), returned('0x'), returned('0x01')]) {
    const rows = headRows().map((good, index) => (index === at ? row : good))
    await expect(readRows([...rows, feedRow()])).rejects.toEqual(new Fault('malformed-result'))
  }
})

test('a block number that JSON cannot hold exactly is a fault (D23)', async () => {
  const rows = [...headRows().slice(0, 2), returned(words(2n ** 53n))]
  await expect(readRows([...rows, feedRow()])).rejects.toEqual(new Fault('malformed-result'))
  const largest = [...headRows().slice(0, 2), returned(words(2n ** 53n - 1n))]
  expect((await readRows([...largest, feedRow()])).head.block).toBe(Number.MAX_SAFE_INTEGER)
})

test('a feed’s row with more or fewer than two calls is a fault (D23)', async () => {
  for (const inner of [[detail], [detail, round, round]]) {
    await expect(readRows([...headRows(), returned(encodeRows(inner))])).rejects.toEqual(new Fault('malformed-result'))
  }
})

test('a feed’s row that reverts with data is a fault, because Multicall3 never does (D23)', async () => {
  await expect(readRows([...headRows(), reverted('0xc4e5ad09')])).rejects.toEqual(new Fault('malformed-result'))
})

const starved = { unreadable: 'latestDetail() reverted with an unnamed error' }

test('a single feed without rows exhausted its gas, and is unreadable', async () => {
  expect((await readRows([...headRows(), reverted('0x')])).reads).toEqual([{ feed: feeds[0], reading: starved }])
})

test('several feeds are read when the gas probe after them succeeds, even if some reverted (D2)', async () => {
  const { reads } = await readRows(
    [...headRows(), reverted('0x'), feedRow(reverted('0x')), feedRow(), probe(true)],
    feeds,
  )
  expect(reads).toEqual([
    { feed: feeds[0], reading: starved },
    { feed: feeds[1], reading: starved },
    { feed: feeds[2], reading: expect.objectContaining({ round: { answer: 5n } }) },
  ])
})

test('when the gas probe fails, several feeds may have lacked gas, and all of them are rejected (D2)', async () => {
  const rows = [...headRows(), feedRow(), feedRow(), feedRow(), probe(false)]
  await expect(readRows(rows, feeds)).rejects.toEqual(new Fault('out-of-gas'))
})

test('one row too few or too many is a fault (D23)', async () => {
  await expect(readRows([...headRows(), feedRow(), feedRow(), feedRow()], feeds)).rejects.toEqual(
    new Fault('malformed-result'),
  )
  await expect(readRows([...headRows(), feedRow(), probe(true)])).rejects.toEqual(new Fault('malformed-result'))
})
