import { numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { readEndpoint } from '../../lambda/chain/read-call.ts'
import { Fault } from '../../lambda/faults.ts'
import { concat, encodeOutput, encodeRow, returned, words } from './encoding.ts'
import { startFaultyNode, toReply } from './faulty-node.ts'

const feeds = ['A', 'B', 'C'].map((symbol, index) => ({
  symbol,
  address: numberToHex(0x1000 + index, { size: 20 }),
  token: numberToHex(0x2000 + index, { size: 20 }),
}))

const head = () => ({ chainId: 4_663, time: Math.floor(Date.now() / 1_000), block: 7 })
const row = encodeRow(returned(words(0, 5, 1, 5, 1)), returned(words(1, 5, 1, 1, 1)))

/** Reads the feeds at a node that returns this output for every request. */
async function readOutput(output: string, asked = feeds.slice(0, 1), block?: number) {
  await using node = await startFaultyNode((response, body) => response.end(toReply(body, output)))
  return await readEndpoint(node.url, { network: 'mainnet', feeds: asked }, block, AbortSignal.timeout(5_000))
}

test('a reading has the feeds, the chain, the block, its time, and the rows as they were returned', async () => {
  const { head: read, blockTime, ...rest } = await readOutput(encodeOutput(head(), [row]))
  expect(read).toMatchObject({ chain: { id: 4_663 }, block: 7, readAt: expect.any(Date) })
  expect(Math.abs(blockTime - head().time)).toBeLessThan(5)
  expect(rest).toEqual({
    feeds: [
      {
        feed: feeds[0],
        detail: { status: 'OK', answer: 5n, observedAt: 1, sharePrice: 5n, multiplier: 1n },
        round: { answer: 5n },
      },
    ],
    rows: row.slice(2),
  })
})

test.each(['0x', '0x00'] as const)('an output with %s in place of its last byte is a fault (D23)', async end => {
  const output = encodeOutput(head(), [row])
  const changed = end === '0x' ? output.slice(0, -2) : concat(output, end)
  await expect(readOutput(changed)).rejects.toEqual(new Fault('malformed-result'))
})

test('a row too few or too many is a fault (D23)', async () => {
  for (const rows of [
    [row, row],
    [row, row, row, row],
  ]) {
    await expect(readOutput(encodeOutput(head(), rows), feeds)).rejects.toEqual(new Fault('malformed-result'))
  }
})

test('a block number that JSON cannot hold exactly is a fault (D23)', async () => {
  const outputAt = (block: number) => encodeOutput({ ...head(), block }, [row])
  await expect(readOutput(outputAt(2 ** 53))).rejects.toEqual(new Fault('malformed-result'))
  expect((await readOutput(outputAt(2 ** 53 - 1))).head.block).toBe(Number.MAX_SAFE_INTEGER)
})

test('another block than the requested one is a fault (D17, D29)', async () => {
  const output = encodeOutput(head(), [row])
  expect((await readOutput(output, undefined, 7)).head.block).toBe(7)
  await expect(readOutput(output, undefined, 8)).rejects.toEqual(new Fault('wrong-block'))
})

test('a further call at the block of the first but at another time is a fault (D17)', async () => {
  const many = Array.from({ length: 59 }, () => feeds[0]).filter(feed => feed !== undefined)
  let time = head().time
  await using node = await startFaultyNode((response, body) => {
    const rows = Array.from({ length: node.requests.length === 1 ? 58 : 1 }, () => row)
    response.end(toReply(body, encodeOutput({ ...head(), time }, rows)))
    time -= 1
  })
  const read = readEndpoint(node.url, { network: 'mainnet', feeds: many }, undefined, AbortSignal.timeout(5_000))
  await expect(read).rejects.toEqual(new Fault('wrong-block'))
  expect(node.requests).toHaveLength(2)
})
