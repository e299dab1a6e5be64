import { numberToHex } from 'viem'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { networkFacts } from '../../../api/networks.ts'
import { readEndpoint } from '../../../lambda/chain/read-endpoint.ts'
import { Fault } from '../../../lambda/faults.ts'
import type { Feed } from '../../../lambda/feeds/registry.ts'
import { encodeOutput, encodeRow, returned, rowWithoutCode, words } from '../../support/chain/encoding.ts'
import { startFaultyNode, toReply } from '../../support/chain/faulty-node.ts'

const feed = {
  symbol: 'A',
  name: 'A',
  address: numberToHex(0x1000, { size: 20 }),
  token: numberToHex(0x2000, { size: 20 }),
  maxAgeSeconds: 1,
}
const now = 1_790_984_206
const latest = { chainId: 4_663, time: now, block: 7 }
const row = encodeRow(returned(words(0, 5, 1, 5, 1)), returned(words(1, 5, 1, 1, 1)))

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: now * 1_000 }))
afterEach(() => vi.useRealTimers())

const read = (rpcUrl: URL, feeds: readonly Feed[]) =>
  readEndpoint(rpcUrl, { network: 'mainnet', feeds }, new AbortController().signal)

/** Reads feeds at a node that returns this output. */
async function readOutput(output: string, feeds = [feed]) {
  await using node = await startFaultyNode((response, body) => response.end(toReply(body, output)))
  return await read(node.url, feeds)
}

test('a reading has the feeds, the chain, the block, its time, and when the reply arrived (D15)', async () => {
  await using node = await startFaultyNode((response, body) => {
    vi.setSystemTime(now * 1_000 + 700)
    response.end(toReply(body, encodeOutput(latest, [row])))
  })
  expect(await read(node.url, [feed])).toEqual({
    chain: networkFacts.mainnet.chain,
    block: 7,
    readAt: new Date(now * 1_000 + 700),
    blockTime: now,
    feeds: [
      {
        feed,
        detail: { status: 'OK', answer: 5n, observedAt: 1, sharePrice: 5n, multiplier: 1n },
        roundData: { answer: 5n },
      },
    ],
  })
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

test('that none of two feeds has code is a fault (D24)', async () => {
  const output = encodeOutput(latest, [rowWithoutCode, rowWithoutCode])
  await expect(readOutput(output, [feed, feed])).rejects.toEqual(new Fault('no-state'))
})
