import {
  type Address,
  decodeFunctionData,
  decodeFunctionResult,
  encodeFunctionResult,
  type Hex,
  isHex,
  multicall3Abi,
} from 'viem'
import type { Row } from '../../lambda/chain/multicall.ts'
import registry from '../../lambda/feeds/registry.json' with { type: 'json' }
import { type Answer, canary } from './answers.ts'

/** The feed that the cases are about: the first of the list, so that others stand behind it. */
export const symbol = registry.mainnet[0]?.symbol ?? ''
const address = registry.mainnet[0]?.address.slice(2).toLowerCase() ?? ''

/** Writes integers as 32-byte words. */
export function words(...values: (bigint | number)[]): Hex {
  return `0x${values.map(value => BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, '0')).join('')}`
}

/** Encodes rows as Multicall3 does. */
export function encodeRows(rows: readonly Row[]): Hex {
  return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result: rows })
}

const decode = (data: Hex): readonly Row[] =>
  decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data })

/** Answers with what becomes of the true result, in hexadecimal. */
export function changedResult(change: (result: Hex, request: string) => Hex): Answer {
  return async ({ request, response, askNode }) => {
    const told: { result: unknown } = JSON.parse(await askNode())
    if (!isHex(told.result)) throw new Error('The node itself did not answer')
    response.writeHead(200, { 'X-Node': canary }).end(JSON.stringify({ ...told, result: change(told.result, request) }))
  }
}

/** Answers with one word of the true result changed; the word's place may depend on how many rows there are. */
export function changedWord(toPlace: (rows: number) => number, change: (word: bigint) => bigint | number): Answer {
  return changedResult(told => {
    const at = 2 + 64 * toPlace(decode(told).length)
    return `0x${told.slice(2, at)}${words(change(BigInt(`0x${told.slice(at, at + 64)}`))).slice(2)}${told.slice(at + 64)}`
  })
}

/** Answers with what becomes of the true rows: chain id, time, number, and then the feeds. */
export function changedRows(change: (rows: readonly Row[], request: string) => readonly Row[]): Answer {
  return changedResult((told, request) => encodeRows(change(decode(told), request)))
}

/** Answers with one of the three rows about the head changed. */
export function changedHead(about: 'chainId' | 'time' | 'number', change: (row: Row) => Row): Answer {
  const place = ['chainId', 'time', 'number'].indexOf(about)
  return changedRows(rows => rows.map((row, index) => (index === place ? change(row) : row)))
}

/** Answers with one of the three rows about the head saying another number. */
export function changedNumber(about: 'chainId' | 'time' | 'number', change: (value: bigint) => bigint): Answer {
  return changedHead(about, row => ({ ...row, returnData: words(change(BigInt(row.returnData))) }))
}

/** Answers with the feed's row changed, wherever it stands. */
export function changedFeed(change: (row: Row) => Row): Answer {
  return changedRows((rows, request) => {
    const place = placeOf(request)
    return rows.map((row, index) => (index === place ? change(row) : row))
  })
}

/** Answers with other rows for the feed's two calls than the true ones. */
export function changedCalls(change: (detail: Row, round: Row) => readonly Row[]): Answer {
  return changedFeed(({ success, returnData }) => {
    const [detail, round] = decode(returnData)
    if (detail === undefined || round === undefined) throw new Error('The feed did not answer two calls')
    return { success, returnData: encodeRows(change(detail, round)) }
  })
}

/** Answers with another row for both calls of every feed. */
export function changedFeeds(toRow: () => Row): Answer {
  const feedRow = { success: true, returnData: encodeRows([toRow(), toRow()]) }
  // Three rows about the head come before the feeds, and the gas probe, whose result is no multicall's, after them.
  return changedRows(rows =>
    rows.map((row, at) => (at < 3 || BigInt(row.returnData.slice(0, 66)) === 0n ? row : feedRow)),
  )
}

/** Answers with another row for `latestDetail()` than the true one. */
export function changedDetail(change: (detail: Row) => Row): Answer {
  return changedCalls((detail, round) => [change(detail), round])
}

/** Answers with another row for `latestRoundData()` than the true one. */
export function changedRound(change: (round: Row) => Row): Answer {
  return changedCalls((detail, round) => [detail, change(round)])
}

function placeOf(request: string): number {
  const { to, data }: { to: Address; data: Hex } = JSON.parse(request).params[0]
  if (to === undefined) throw new Error('The request calls nobody')
  const { functionName, args } = decodeFunctionData({ abi: multicall3Abi, data })
  if (functionName !== 'aggregate3') throw new Error(`The request calls ${functionName}`)
  return args[0].findIndex(({ callData }) => callData.includes(address))
}
