import { concat, type Hex, stringToHex } from 'viem'
import { encodeRows, returned, reverted, words } from '../../chain/encoding.ts'
import { canary } from '../../chain/faulty-node.ts'
import {
  changedCalls,
  changedFeed,
  changedHead,
  changedNumber,
  changedResult,
  changedRows,
  changedWord,
} from '../changed-results.ts'
import { type FaultCase, result, toCases } from '../fault-case.ts'

const spare = returned(words(1))
const withHighBit = (word: bigint) => word | (2n ** 255n)

/** A thousand rows that all begin at the same place. */
const shared: Hex = words(32, 1_000, ...Array.from({ length: 1_000 }, () => 32_000), 1, 64, 32, 1)
/** The rows of a feed's two calls, with dirty padding at their end. */
const dirty: Hex = `0x${encodeRows([spare, reverted('0xc4e5ad09')]).slice(2, -2)}01`

/** Results that Multicall3 does not return: the correct one but for a word, a byte or a bit. */
const encodings: FaultCase[] = toCases('ABI', 'malformed-result', [
  ['a row missing', changedRows(rows => rows.slice(0, -1))],
  ['all rows missing', result(encodeRows([]))],
  ['a row too many', changedRows(rows => [...rows, spare])],
  ['dirty high bits in a flag', changedWord('flag', withHighBit)],
  ['2 for a flag', changedWord('flag', () => 2)],
  ['dirty high bits in an offset', changedWord('first offset', withHighBit)],
  ['dirty high bits in the number of rows', changedWord('count', withHighBit)],
  ['four billion rows', changedWord('count', () => 2n ** 32n - 1n)],
  ['an offset beyond the end', changedWord('first offset', () => 2n ** 31n)],
  ['another offset at the start', changedWord('rows', () => 64)],
  ['a length beyond the end', changedWord('length', () => 2n ** 24n)],
  ['a length of 33 bytes', changedWord('length', () => 33)],
  ['a byte after it', changedResult(correct => `${correct}00`)],
  ['a word after it', changedResult(correct => concat([correct, words(0)]))],
  ['a text after it', changedResult(correct => concat([correct, stringToHex(canary, { size: 32 })]))],
  ['a byte less', changedResult(correct => correct.slice(0, -2) as Hex)],
  ['a word less', changedResult(correct => correct.slice(0, -64) as Hex)],
  ['two rows that share an offset', changedWord('second offset', word => word - 128n)],
  ['a thousand rows that share an offset', result(shared)],
  ['three calls of a feed', changedCalls((detail, round) => [detail, round, spare])],
  ['one call of a feed', changedCalls(detail => [detail])],
  ['no data of a feed that did not fail', changedFeed(() => returned('0x'))],
  ['a byte after the calls of a feed', changedFeed(row => ({ ...row, returnData: `${row.returnData}00` }))],
  ['dirty padding after the calls of a feed', changedFeed(() => returned(dirty))],
])

/** Results with a wrong head, or without one. */
const heads: FaultCase[] = toCases('head', 'malformed-result', [
  ['another chain’s id', changedNumber('chainId', id => id + 1n), 'wrong-chain'],
  ['Ethereum’s id', changedNumber('chainId', () => 1n), 'wrong-chain'],
  ['the testnet’s id', changedNumber('chainId', () => 46_630n), 'wrong-chain'],
  ['an id of no chain', changedNumber('chainId', () => 0n), 'wrong-chain'],
  ['a head 10 minutes old', changedNumber('time', time => time - 600n), 'old-head'],
  ['a head of 1970', changedNumber('time', () => 0n), 'old-head'],
  ['a head 90 seconds old', changedNumber('time', () => BigInt(Math.floor(Date.now() / 1_000) - 90)), 'old-head'],
  ['a head 5 minutes in the future', changedNumber('time', time => time + 300n), 'future-head'],
  ['a head in milliseconds', changedNumber('time', time => time * 1_000n), 'future-head'],
  ['an id that a double would round', changedNumber('chainId', id => id + 2n ** 200n)],
  ['a time beyond 2^53', changedNumber('time', () => 2n ** 64n)],
  ['a block number beyond 2^53', changedNumber('number', () => 2n ** 53n)],
  ['a failed row of the chain id', changedHead('chainId', () => reverted('0x'))],
  ['a failed row of the time', changedHead('time', () => reverted('0x'))],
  ['a failed row of ArbSys', changedHead('number', () => reverted('0x'))],
  ['a failed row of ArbSys, with a number', changedHead('number', row => reverted(row.returnData))],
  ['no ArbSys', changedHead('number', () => returned('0x'))],
  ['two numbers from ArbSys', changedHead('number', row => returned(concat([row.returnData, words(1)])))],
])

/** Results of `aggregate3` that are not valid. */
export const results: FaultCase[] = [...encodings, ...heads]
