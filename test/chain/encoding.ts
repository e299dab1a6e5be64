import { decodeFunctionResult, encodeFunctionResult, type Hex, multicall3Abi } from 'viem'
import type { Row } from '../../lambda/chain/multicall.ts'

/** Encodes integers as 32-byte words. */
export function words(...values: readonly (bigint | number)[]): Hex {
  return `0x${values.map(value => BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, '0')).join('')}`
}

export const returned = (returnData: Hex): Row => ({ success: true, returnData })
export const reverted = (returnData: Hex): Row => ({ success: false, returnData })

/** Encodes rows as `aggregate3` of Multicall3 returns them. */
export function encodeRows(rows: readonly Row[]): Hex {
  return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result: rows })
}

/** Replaces both rows of every feed in a result. The rows of the feeds follow three of the head. */
export function withEveryFeed(result: Hex, feeds: number, row: Row): Hex {
  const feedRow = returned(encodeRows([row, row]))
  return encodeRows(decodeResult(result).map((old, index) => (index >= 3 && index < 3 + feeds ? feedRow : old)))
}

/** Decodes a result of `aggregate3` with viem. */
export function decodeResult(data: Hex): readonly Row[] {
  return decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data })
}
