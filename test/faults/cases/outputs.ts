import { encodeErrorResult, type Hex, parseAbi } from 'viem'
import {
  type CallResult,
  concat,
  encodeRow,
  returned,
  reverted,
  rowWithoutCode,
  words,
} from '../../support/chain/encoding.ts'
import { type Respond, secret } from '../../support/chain/faulty-node.ts'
import { feedAbi } from '../../support/chain/feed-abi.ts'
import { type FaultCase, output, result, toCases } from '../../support/faults/fault-case.ts'

/** A word in hexadecimal digits. */
const wordLength = 64
/** `0x` and the words about the block. */
const blockLength = 2 + 3 * wordLength
const rowLength = 13 * wordLength

/** Changes a word of the output. Words 0 to 2 describe the block, words 3 to 15 are the row of the first feed. */
const word = (index: number, change: (word: bigint) => bigint | number): Respond =>
  output(correct => {
    const at = 2 + index * wordLength
    const changed = words(change(BigInt(`0x${correct.slice(at, at + wordLength)}`))).slice(2)
    return `0x${correct.slice(2, at)}${changed}${correct.slice(at + wordLength)}`
  })

/** Changes the row of the first feed. */
const row = (change: (correct: Hex) => Hex): Respond =>
  output(correct => {
    const first = change(`0x${correct.slice(blockLength, blockLength + rowLength)}`)
    return concat(correct.slice(0, blockLength) as Hex, first, `0x${correct.slice(blockLength + rowLength)}`)
  })

const detailOf = (correct: Hex): CallResult => returned(`0x${correct.slice(2 + 2 * 64, 2 + 7 * 64)}`)
const roundDataOf = (correct: Hex): CallResult => returned(`0x${correct.slice(2 + 8 * 64)}`)
const withoutByte = ({ output }: CallResult): Hex => output.slice(0, -2) as Hex
const detail = (changed: CallResult): Respond => row(correct => encodeRow(changed, roundDataOf(correct)))
const roundData = (changed: CallResult): Respond => row(correct => encodeRow(detailOf(correct), changed))

/** The words of the first row that have the size of the code, and how the call of each function ended. */
const codeSize = 3
const detailCall = 4
const roundCall = 10
const withFlag = (flag: bigint) => (call: bigint) => (flag << 128n) | (call % 2n ** 128n)
const withSize = (size: bigint) => (call: bigint) => ((call >> 128n) << 128n) | size

/** A revert with a text of the contract. */
const textRevert: Hex = encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: [secret] })

/** Outputs that the program cannot have returned. */
const malformed: FaultCase[] = toCases('output', 'malformed-result', [
  ['none', result('0x')],
  ['a byte more', output(correct => `${correct}00`)],
  ['a byte less', output(correct => correct.slice(0, -2) as Hex)],
  ['a revert of type Error', result(textRevert)],
  ['a code size beyond 2^53', word(codeSize, () => 2n ** 53n)],
  ['2 for the success of latestDetail()', word(detailCall, withFlag(2n))],
  ['2 for the success of latestRoundData()', word(roundCall, withFlag(2n))],
  ['2^53 for the size of latestDetail()', word(detailCall, withSize(2n ** 53n))],
  ['2^53 for the size of latestRoundData()', word(roundCall, withSize(2n ** 53n))],
  ['a size of 32 bytes for latestDetail(), and other bytes behind them', word(detailCall, withSize(32n))],
  ['a size of 0 bytes for latestRoundData(), and bytes behind them', word(roundCall, withSize(0n))],
  ['a size of 31 bytes for latestRoundData(), and other bytes behind them', word(roundCall, withSize(31n))],
  ['a size of 159 bytes for latestRoundData(), and other bytes behind them', word(roundCall, withSize(159n))],
])

const now = () => Math.floor(Date.now() / 1_000)

/** Outputs of another chain or time. */
const blocks: FaultCase[] = toCases('block', 'malformed-result', [
  ['the testnet’s id', word(0, () => 46_630), 'wrong-chain'],
  ['90 seconds old', word(1, () => now() - 90), 'old-head'],
  ['5 minutes in the future', word(1, time => time + 300n), 'future-head'],
  ['an id that a double would round', word(0, id => id + 2n ** 200n)],
  ['a time beyond 2^53', word(1, () => 2n ** 64n)],
  ['a block number beyond 2^53', word(2, () => 2n ** 53n)],
])

const unavailable = encodeErrorResult({ abi: feedAbi, errorName: 'FeedUnavailable', args: [1] })
const panic: Hex = concat('0x4e487b71', words(17))
const year10000 = 253_402_300_800n
const bomb: Hex = `0x${'11'.repeat(800_000)}`

const because = (reason: string) => ({ hasCode: true, unreadable: reason })
const revertedWith = (name: string) => because(`latestDetail() reverted with ${name}`)
const outOfGas = because('latestDetail() reverted or ran out of gas')
const tooLate = because('it observed its price after the year 9999')
const noContract = { hasCode: false, unreadable: 'no contract is at its address' }

/** Unreadable feeds at a healthy node: no fault of the node. */
const unreadableFeeds: FaultCase[] = toCases('unreadable feed', because('latestDetail() returned malformed data'), [
  ['has no code', row(() => rowWithoutCode), noContract],
  ['has no code, but returns data like a precompile', word(codeSize, () => 0), noContract],
  ['returns no data', detail(returned('0x')), because('latestDetail() returned no data')],
  ['reverts without data, or runs out of gas', detail(reverted('0x')), outOfGas],
  ['reverts with half a selector', detail(reverted('0xe3f1')), revertedWith('an unnamed error')],
  ['reverts by name', detail(reverted(unavailable)), revertedWith('FeedUnavailable')],
  ['reverts with a text', detail(reverted(textRevert)), revertedWith('Error')],
  ['panics', detail(reverted(panic)), revertedWith('Panic')],
  ['reverts with 0.8 MB', detail(reverted(bomb)), revertedWith('0x11111111')],
  ['returns a byte less', row(correct => encodeRow(returned(withoutByte(detailOf(correct))), roundDataOf(correct)))],
  ['returns a byte more', row(correct => encodeRow(returned(`${detailOf(correct).output}00`), roundDataOf(correct)))],
  ['returns 0.8 MB', detail(returned(bomb))],
  ['has dirty bits in its time', detail(returned(words(0, 1, 2n ** 64n, 1, 1)))],
  ['has status 256', detail(returned(words(256, 1, 1, 1, 1)))],
  ['has an eighth status', detail(returned(words(7, 1, 1, 1, 1))), because('its status is none of the seven')],
  ['observed in the year 10000', detail(returned(words(0, 1, year10000, 1, 1))), tooLate],
])

const ones = { answer: 1n, observedAt: 1, sharePrice: 1n, multiplier: 1n } as const
const returnsStatus = (value: number): Respond => detail(returned(words(value, 1, 1, 1, 1)))

/** The status at each value of the contract's enum (D12). */
const statuses: FaultCase[] = toCases('status', {}, [
  ['0 is OK', returnsStatus(0), { detail: { ...ones, status: 'OK' } }],
  ['1 is Market closed', returnsStatus(1), { detail: { ...ones, status: 'Market closed' } }],
  ['2 is Stale', returnsStatus(2), { detail: { ...ones, status: 'Stale' } }],
  ['3 is Oracle paused', returnsStatus(3), { detail: { ...ones, status: 'Oracle paused' } }],
  ['4 is Straddle', returnsStatus(4), { detail: { ...ones, status: 'Straddle' } }],
  ['5 is Corporate action', returnsStatus(5), { detail: { ...ones, status: 'Corporate action' } }],
  ['6 is No data', returnsStatus(6), { detail: { ...ones, status: 'No data' } }],
])

const revertsWith = (name: string) => ({ roundData: { reverts: name } })

/** What `latestRoundData()` may do, which is a field of the record. */
const roundDataCases: FaultCase[] = toCases('latestRoundData()', { roundData: { malformed: true } }, [
  ['reverts by name', roundData(reverted(unavailable)), revertsWith('FeedUnavailable')],
  ['reverts with NoHistory', roundData(reverted('0xc4e5ad09')), revertsWith('NoHistory')],
  ['reverts with an unknown error', roundData(reverted('0x1234abcd')), revertsWith('0x1234abcd')],
  ['reverts with three bytes', roundData(reverted('0xe3f18f')), revertsWith('unnamed')],
  ['reverts without data, or runs out of gas', roundData(reverted('0x')), revertsWith('unnamed')],
  ['returns another answer', roundData(returned(words(1, 2, 1, 1, 1))), { roundData: { answer: 2n } }],
  ['returns nothing', roundData(returned('0x'))],
  ['returns a byte less', row(correct => encodeRow(detailOf(correct), returned(withoutByte(roundDataOf(correct)))))],
  ['returns a byte more', row(correct => encodeRow(detailOf(correct), returned(`${roundDataOf(correct).output}00`)))],
  ['has dirty bits in its id', roundData(returned(words(2n ** 80n, 1, 1, 1, 1)))],
  ['has dirty bits in the round of its answer', roundData(returned(words(1, 1, 1, 1, 2n ** 80n)))],
])

/** Outputs of the program that are unusual or not valid. */
export const outputs: FaultCase[] = [...malformed, ...blocks, ...unreadableFeeds, ...statuses, ...roundDataCases]
