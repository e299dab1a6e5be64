import { concat, type Hex, stringToHex } from 'viem'
import { canary, result } from '../answers.ts'
import {
  changedCalls,
  changedFeed,
  changedHead,
  changedNumber,
  changedResult,
  changedRows,
  changedWord,
  encodeRows,
  words,
} from '../changed-rows.ts'
import { type FaultCase, toCases } from '../fault-case.ts'

const failed = { success: false, returnData: '0x' } as const
const spare = { success: true, returnData: words(1) } as const
const highBit = 2n ** 255n

/** A thousand rows that all begin at the same place. */
const shared: Hex = words(32, 1_000, ...Array.from({ length: 1_000 }, () => 32_000), 1, 64, 32, 1)

/** Results that Multicall3 does not give: the true one but for a word, a byte or a bit. */
const encodings: FaultCase[] = toCases('odd ABI', [
  ['a row missing', changedRows(rows => rows.slice(0, -1)), 'malformed-result'],
  ['all rows missing', result(encodeRows([])), 'malformed-result'],
  ['a row too many', changedRows(rows => [...rows, spare]), 'malformed-result'],
  [
    'dirty high bits in a flag',
    changedWord(
      rows => 2 + rows,
      word => word | highBit,
    ),
    'malformed-result',
  ],
  [
    '2 for a flag',
    changedWord(
      rows => 2 + rows,
      () => 2,
    ),
    'malformed-result',
  ],
  [
    'dirty high bits in an offset',
    changedWord(
      () => 2,
      word => word | highBit,
    ),
    'malformed-result',
  ],
  [
    'dirty high bits in the number of rows',
    changedWord(
      () => 1,
      word => word | highBit,
    ),
    'malformed-result',
  ],
  [
    'four billion rows',
    changedWord(
      () => 1,
      () => 2n ** 32n - 1n,
    ),
    'malformed-result',
  ],
  [
    'an offset beyond the end',
    changedWord(
      () => 2,
      () => 2n ** 31n,
    ),
    'malformed-result',
  ],
  [
    'another offset at the start',
    changedWord(
      () => 0,
      () => 64,
    ),
    'malformed-result',
  ],
  [
    'a length beyond the end',
    changedWord(
      rows => 4 + rows,
      () => 2n ** 24n,
    ),
    'malformed-result',
  ],
  [
    'a length of 33 bytes',
    changedWord(
      rows => 4 + rows,
      () => 33,
    ),
    'malformed-result',
  ],
  ['a byte behind it', changedResult(told => `${told}00`), 'malformed-result'],
  ['a word behind it', changedResult(told => concat([told, words(0)])), 'malformed-result'],
  [
    'the canary behind it',
    changedResult(told => concat([told, stringToHex(canary, { size: 32 })])),
    'malformed-result',
  ],
  ['a byte less', changedResult(told => told.slice(0, -2) as Hex), 'malformed-result'],
  ['a word less', changedResult(told => told.slice(0, -64) as Hex), 'malformed-result'],
  [
    'two rows that share an offset',
    changedWord(
      () => 3,
      word => word - 128n,
    ),
    'malformed-result',
  ],
  ['a thousand rows that share an offset', result(shared), 'malformed-result'],
  ['both calls of a feed, and a third', changedCalls((detail, round) => [detail, round, spare]), 'malformed-result'],
  ['one call of a feed only', changedCalls(detail => [detail]), 'malformed-result'],
  ['no word of a feed that did not fail', changedFeed(() => ({ success: true, returnData: '0x' })), 'malformed-result'],
  [
    'a byte behind the calls of a feed',
    changedFeed(row => ({ ...row, returnData: `${row.returnData}00` })),
    'malformed-result',
  ],
  [
    'dirty padding behind the calls of a feed',
    changedFeed(row => {
      const dirty = encodeRows([spare, { success: false, returnData: '0xc4e5ad09' }])
      return { ...row, returnData: `${dirty.slice(0, -2)}01` as Hex }
    }),
    'malformed-result',
  ],
])

/** Results that say the wrong thing of the chain, or nothing. */
const heads: FaultCase[] = toCases('wrong head', [
  ['another chain’s id', changedNumber('chainId', id => id + 1n), 'wrong-chain'],
  ['Ethereum’s id', changedNumber('chainId', () => 1n), 'wrong-chain'],
  ['the testnet’s id', changedNumber('chainId', () => 46_630n), 'wrong-chain'],
  ['an id of no chain', changedNumber('chainId', () => 0n), 'wrong-chain'],
  ['an id that a double would round', changedNumber('chainId', id => id + 2n ** 200n), 'malformed-result'],
  ['a head 10 minutes old', changedNumber('time', time => time - 600n), 'old-head'],
  ['a head of 1970', changedNumber('time', () => 0n), 'old-head'],
  ['a head 90 seconds old', changedNumber('time', () => BigInt(Math.floor(Date.now() / 1_000) - 90)), 'old-head'],
  ['a head 5 minutes in the future', changedNumber('time', time => time + 300n), 'future-head'],
  ['a head in milliseconds', changedNumber('time', time => time * 1_000n), 'future-head'],
  ['a time beyond every calendar', changedNumber('time', () => 2n ** 64n), 'malformed-result'],
  ['a block number beyond 2^53', changedNumber('number', () => 2n ** 53n), 'malformed-result'],
  ['the chain id’s row failed', changedHead('chainId', () => failed), 'malformed-result'],
  ['the time’s row failed', changedHead('time', () => failed), 'malformed-result'],
  ['ArbSys’ row failed', changedHead('number', () => failed), 'malformed-result'],
  ['ArbSys’ row failed, with a number', changedHead('number', row => ({ ...row, success: false })), 'malformed-result'],
  ['no ArbSys there', changedHead('number', () => ({ success: true, returnData: '0x' })), 'malformed-result'],
  [
    'two numbers from ArbSys',
    changedHead('number', row => ({ ...row, returnData: concat([row.returnData, words(1)]) })),
    'malformed-result',
  ],
])

/** What may be odd about a result that is one. */
export const oddAbi: FaultCase[] = [...encodings, ...heads]
