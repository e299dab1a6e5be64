import { encodeErrorResult, type Hex } from 'viem'
import { feedAbi } from '../../chain/feed-abi.ts'
import type { Row } from '../../../lambda/chain/multicall.ts'
import { returned, reverted, words } from '../../chain/encoding.ts'
import { changedDetail, changedFeed, changedFeeds, changedRound } from '../changed-results.ts'
import { type Answer, type FaultCase, toCases } from '../fault-case.ts'
import { textRevert, toOffchainLookup } from './rpc-errors.ts'

const unavailable = encodeErrorResult({ abi: feedAbi, errorName: 'FeedUnavailable', args: [1] })
const panic: Hex = `0x4e487b71${words(17).slice(2)}`
const year10000 = 253_402_300_800n

const offchainLookup =
  (change: typeof changedDetail): Answer =>
  (response, request, surroundings) =>
    change(() => reverted(toOffchainLookup(surroundings.trapUrl.href)))(response, request, surroundings)

const detail = (row: Row): Answer => changedDetail(() => row)
const round = (row: Row): Answer => changedRound(() => row)
const appended = (row: Row): Row => ({ ...row, returnData: `${row.returnData}00` })

const because = (reason: string) => ({ unreadable: reason })
const revertedWith = (name: string) => because(`latestDetail() reverted with ${name}`)
const malformed = because('latestDetail() answered malformed data')

/** Unreadable feeds at a healthy node: no fault of the node (D2). */
export const unreadableFeeds: FaultCase[] = toCases('unreadable feeds', malformed, [
  ['reverts without data', detail(reverted('0x')), revertedWith('an unnamed error')],
  ['reverts with half a selector', detail(reverted('0xe3f1')), revertedWith('an unnamed error')],
  ['reverts by name', detail(reverted(unavailable)), revertedWith('FeedUnavailable')],
  ['reverts with a text', detail(reverted(textRevert)), revertedWith('Error')],
  ['panics', detail(reverted(panic)), revertedWith('Panic')],
  ['reverts with an OffchainLookup', offchainLookup(changedDetail), revertedWith('0x556f1830')],
  ['fails in both calls without data', changedFeed(() => reverted('0x')), revertedWith('an unnamed error')],
  ['has no code', detail(returned('0x')), because('no contract is at its address')],
  [
    'has no code, like all',
    changedFeeds(returned('0x')),
    because('no contract is at its address'),
    { inList: 'no-state' },
  ],
  ['returns too little', detail(returned(words(0, 1, 1, 1)))],
  ['returns too much', changedDetail(appended)],
  ['has dirty bits in its status', detail(returned(words(2n ** 200n, 1, 1, 1, 1)))],
  ['has dirty bits in its time', detail(returned(words(0, 1, 2n ** 64n, 1, 1)))],
  ['has an eighth status', detail(returned(words(7, 1, 1, 1, 1))), because('its status is none of the seven')],
  [
    'observed in the year 10000',
    detail(returned(words(0, 1, year10000, 1, 1))),
    because('it observed its price after the year 9999'),
  ],
])

const notServed = { record: { servesLatestRoundData: false } }
const revertsWith = (name: string) => ({ record: { servesLatestRoundData: false, latestRoundDataReverts: name } })

/** What `latestRoundData()` may do, which is a field of the record. */
export const rounds: FaultCase[] = toCases('rounds', notServed, [
  ['reverts by name', round(reverted(unavailable)), revertsWith('FeedUnavailable')],
  ['reverts with NoHistory', round(reverted('0xc4e5ad09')), revertsWith('NoHistory')],
  ['reverts with a text', round(reverted(textRevert)), revertsWith('Error')],
  ['reverts with an unknown error', round(reverted('0x1234abcd')), revertsWith('0x1234abcd')],
  ['reverts with an OffchainLookup', offchainLookup(changedRound), revertsWith('0x556f1830')],
  ['reverts without data', round(reverted('0x')), revertsWith('unnamed')],
  ['returns another answer', round(returned(words(1, 2, 1, 1, 1)))],
  ['returns nothing', round(returned('0x'))],
  ['returns too little', round(returned(words(1)))],
  ['returns too much', changedRound(appended)],
  ['has dirty bits in its id', changedRound(row => returned(`0x01${row.returnData.slice(4)}`))],
])
