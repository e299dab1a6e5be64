import { encodeErrorResult, type Hex } from 'viem'
import { feedAbi } from '../../../lambda/chain/abis.ts'
import type { Answer } from '../answers.ts'
import { changedDetail, changedFeed, changedFeeds, changedRound, words } from '../changed-rows.ts'
import { type FaultCase, toCases } from '../fault-case.ts'
import { spokenRevert, toOffchainLookup } from './rpc-errors.ts'

const reverted = (returnData: Hex) => () => ({ success: false, returnData })
const answered = (returnData: Hex) => () => ({ success: true, returnData })
const unavailable = encodeErrorResult({ abi: feedAbi, errorName: 'FeedUnavailable', args: [1] })
const panic: Hex = `0x4e487b71${words(17).slice(2)}`
const year10000 = 253_402_300_800n

const lookUp =
  (change: typeof changedDetail): Answer =>
  exchange =>
    change(reverted(toOffchainLookup(exchange.trapUrl.href)))(exchange)

const because = (reason: string) => ({ unreadable: reason })
const malformed = because('latestDetail() answered malformed data')

/** What the chain says of a feed, through a node that is well: no fault of the node's (D2). */
export const feedVerdicts: FaultCase[] = toCases('verdicts on a feed', [
  ['it reverted without data', changedDetail(reverted('0x')), because('latestDetail() reverted with an unnamed error')],
  [
    'it reverted with half a selector',
    changedDetail(reverted('0xe3f1')),
    because('latestDetail() reverted with an unnamed error'),
  ],
  [
    'it reverted by name',
    changedDetail(reverted(unavailable)),
    because('latestDetail() reverted with FeedUnavailable'),
  ],
  ['it reverted with a text', changedDetail(reverted(spokenRevert)), because('latestDetail() reverted with Error')],
  ['it panicked', changedDetail(reverted(panic)), because('latestDetail() reverted with Panic')],
  ['it reverted with an OffchainLookup', lookUp(changedDetail), because('latestDetail() reverted with 0x556f1830')],
  [
    'both its calls failed without a word',
    changedFeed(reverted('0x')),
    because('latestDetail() reverted with an unnamed error'),
  ],
  ['it has no code', changedDetail(answered('0x')), because('no contract is at its address')],
  ['no feed has code', changedFeeds(answered('0x')), because('no contract is at its address'), { inList: 'no-state' }],
  ['it answered too little', changedDetail(answered(words(0, 1, 1, 1))), malformed],
  ['it answered too much', changedDetail(row => ({ ...row, returnData: `${row.returnData}00` })), malformed],
  ['it has dirty bits in its status', changedDetail(answered(words(2n ** 200n, 1, 1, 1, 1))), malformed],
  ['it has dirty bits in its time', changedDetail(answered(words(0, 1, 2n ** 64n, 1, 1))), malformed],
  [
    'it has an eighth status',
    changedDetail(answered(words(7, 1, 1, 1, 1))),
    because('its status is none of the seven'),
  ],
  [
    'it observed in the year 10000',
    changedDetail(answered(words(0, 1, year10000, 1, 1))),
    because('it observed its price after the year 9999'),
  ],
])

const notServed = { servesLatestRoundData: false }
const revertsWith = (name: string) => ({ record: { ...notServed, latestRoundDataReverts: name } })

/** What the chain says of a feed's round, which is a field of its record. */
export const rounds: FaultCase[] = toCases('rounds', [
  ['it reverted by name', changedRound(reverted(unavailable)), revertsWith('FeedUnavailable')],
  ['it reverted with NoHistory', changedRound(reverted('0xc4e5ad09')), revertsWith('NoHistory')],
  ['it reverted with a text', changedRound(reverted(spokenRevert)), revertsWith('Error')],
  ['it reverted with an error unknown to us', changedRound(reverted('0x1234abcd')), revertsWith('0x1234abcd')],
  ['it reverted with an OffchainLookup', lookUp(changedRound), revertsWith('0x556f1830')],
  ['it reverted without data', changedRound(reverted('0x')), revertsWith('unnamed')],
  ['it has another answer', changedRound(answered(words(1, 2, 1, 1, 1))), { record: notServed }],
  ['it answered nothing', changedRound(answered('0x')), { record: notServed }],
  ['it answered too little', changedRound(answered(words(1))), { record: notServed }],
  ['it answered too much', changedRound(row => ({ ...row, returnData: `${row.returnData}00` })), { record: notServed }],
  [
    'it has dirty bits in its id',
    changedRound(row => ({ ...row, returnData: `0x01${row.returnData.slice(4)}` })),
    { record: notServed },
  ],
])
