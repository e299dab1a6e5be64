import { decodeFunctionData, type Hex, multicall3Abi } from 'viem'
import type { Row } from '../../lambda/chain/multicall.ts'
import registry from '../../lambda/feeds/registry.json' with { type: 'json' }
import { decodeResult, encodeRows, returned, withEveryFeed, words } from '../chain/encoding.ts'
import { countFeeds } from '../chain/faulty-node.ts'
import type { Answer } from './fault-case.ts'

/** The feed that the cases are about: the first of the list, so that others follow it. */
export const symbol = registry.mainnet[0]?.symbol ?? ''
const address = registry.mainnet[0]?.address.slice(2).toLowerCase() ?? ''

/** Answers with the correct result, changed. */
export function changedResult(change: (result: Hex, request: string) => Hex): Answer {
  return async (response, request, { forward }) => {
    const reply: { result: Hex } = JSON.parse(await forward())
    response.end(JSON.stringify({ ...reply, result: change(reply.result, request) }))
  }
}

/** The words of a result before its rows, and those of the first row. */
const places = { rows: 0, count: 1, 'first offset': 2, 'second offset': 3, flag: 2, length: 4 }

/** Answers with one word of the correct result changed. */
export function changedWord(place: keyof typeof places, change: (word: bigint) => bigint | number): Answer {
  return changedResult(result => {
    const offsets = place === 'flag' || place === 'length' ? decodeResult(result).length : 0
    const at = 2 + 64 * (places[place] + offsets)
    const word = words(change(BigInt(`0x${result.slice(at, at + 64)}`))).slice(2)
    return `0x${result.slice(2, at)}${word}${result.slice(at + 64)}`
  })
}

/** Answers with the correct rows, changed: chain id, time, number, the feeds, and the gas probe of several feeds. */
export function changedRows(change: (rows: readonly Row[], request: string) => readonly Row[]): Answer {
  return changedResult((result, request) => encodeRows(change(decodeResult(result), request)))
}

/** Answers with one row of the head changed. */
export function changedHead(name: 'chainId' | 'time' | 'number', change: (row: Row) => Row): Answer {
  const place = ['chainId', 'time', 'number'].indexOf(name)
  return changedRows(rows => rows.map((row, index) => (index === place ? change(row) : row)))
}

/** Answers with another number in one row of the head. */
export function changedNumber(name: 'chainId' | 'time' | 'number', change: (value: bigint) => bigint): Answer {
  return changedHead(name, row => returned(words(change(BigInt(row.returnData)))))
}

/** Answers with the feed's row changed. */
export function changedFeed(change: (row: Row) => Row): Answer {
  return changedRows((rows, request) => {
    const { args = [[]] } = decodeFunctionData({ abi: multicall3Abi, data: JSON.parse(request).params[0].data })
    const calls = args[0] as readonly { callData: Hex }[]
    const place = calls.findIndex(({ callData }) => callData.includes(address))
    return rows.map((row, index) => (index === place ? change(row) : row))
  })
}

/** Answers with other rows for the feed's two calls. */
export function changedCalls(change: (detail: Row, round: Row) => readonly Row[]): Answer {
  return changedFeed(({ returnData }) => {
    const [detail, round] = decodeResult(returnData)
    if (detail === undefined || round === undefined) throw new Error('The feed has no row for each of its two calls')
    return returned(encodeRows(change(detail, round)))
  })
}

/** Answers with this row for both calls of every feed. */
export function changedFeeds(row: Row): Answer {
  return changedResult((result, request) => withEveryFeed(result, countFeeds(request), row))
}

/** Answers with another row for `latestDetail()`. */
export function changedDetail(change: (detail: Row) => Row): Answer {
  return changedCalls((detail, round) => [change(detail), round])
}

/** Answers with another row for `latestRoundData()`. */
export function changedRound(change: (round: Row) => Row): Answer {
  return changedCalls((detail, round) => [detail, change(round)])
}
