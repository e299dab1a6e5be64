import fc from 'fast-check'
import { encodeFunctionResult } from 'viem'
import { expect, test } from 'vitest'
import { feedStatuses } from '../../../api/statuses.ts'
import { decodeFeed } from '../../../lambda/chain/decode-feed.ts'
import { rowAt, splitOutput } from '../../../lambda/chain/program.ts'
import { feedsOf } from '../../../lambda/feeds/registry.ts'
import { encodeOutput, encodeRow, returned } from '../../support/chain/encoding.ts'
import { feedAbi } from '../../support/chain/feed-abi.ts'

const int256 = fc.bigInt({ min: -(2n ** 255n), max: 2n ** 255n - 1n })
const uint = (bits: bigint) => fc.bigInt({ min: 0n, max: 2n ** bits - 1n })
const year9999 = Date.UTC(9999, 11, 31, 23, 59, 59) / 1_000

/** What `latestDetail()` returns, and the reading of it. */
const detail = fc
  .record({
    status: fc.nat(feedStatuses.length - 1),
    answer: int256,
    observedAt: fc.integer({ min: 0, max: year9999 }),
    sharePrice: int256,
    multiplier: uint(256n),
  })
  .map(({ status, answer, observedAt, sharePrice, multiplier }) => {
    const result = [{ status, answer, observedAt: BigInt(observedAt) }, sharePrice, multiplier] as const
    const output = encodeFunctionResult({ abi: feedAbi, functionName: 'latestDetail', result })
    return {
      call: returned(output),
      reading: { status: feedStatuses[status], answer, observedAt, sharePrice, multiplier },
    }
  })

/** What `latestRoundData()` returns, and the reading of it. */
const round = fc.tuple(uint(80n), int256, uint(256n), uint(256n), uint(80n)).map(result => {
  const output = encodeFunctionResult({ abi: feedAbi, functionName: 'latestRoundData', result })
  return { call: returned(output), reading: { answer: result[1] } }
})

const feeds = feedsOf('mainnet').slice(0, 3)
const block = fc.record({ chainId: fc.maxSafeNat(), time: fc.maxSafeNat(), block: fc.maxSafeNat() })
const row = fc.record({ codeSize: fc.integer({ min: 1 }), detail, round })
const output = fc.record({ block, rows: fc.array(row, { minLength: feeds.length, maxLength: feeds.length }) })

test('what viem encodes of random values is decoded to these values (D3, D13)', () => {
  const property = fc.property(output, ({ block: { chainId, time, block }, rows }) => {
    const encoded = rows.map(({ codeSize, detail, round }) => encodeRow(detail.call, round.call, codeSize))
    const split = splitOutput(encodeOutput({ chainId, time, block }, encoded), feeds.length)
    expect(split).toMatchObject({ chainId, blockTime: time, block })
    expect(feeds.map((feed, index) => decodeFeed(feed, rowAt(split.rows, index)))).toEqual(
      rows.map(({ detail, round }, index) => ({
        feed: feeds[index],
        detail: detail.reading,
        roundData: round.reading,
      })),
    )
  })
  fc.assert(property, { numRuns: 1_000 })
})
