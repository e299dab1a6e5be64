import type { Address, Hex } from 'viem'
import { encodeProgram } from '../../../lambda/chain/program.ts'

/** Encodes integers as 32-byte words. */
export function words(...values: readonly (bigint | number)[]): Hex {
  return `0x${values.map(value => BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, '0')).join('')}`
}

/** What a function of a feed did: its return data, or its revert data. */
export interface CallResult {
  readonly success: boolean
  readonly output: Hex
}

export const returned = (output: Hex): CallResult => ({ success: true, output })
export const reverted = (output: Hex): CallResult => ({ success: false, output })

/** Encodes the row of a feed as the program returns it: 13 words. */
export function encodeRow(latestDetail: CallResult, latestRoundData: CallResult, codeSize = 1_000): Hex {
  return concat(words(codeSize), encodeCall(latestDetail), encodeCall(latestRoundData))
}

/** The row of a feed whose functions revert with NoHistory. */
export const revertingRow = encodeRow(reverted('0xc4e5ad09'), reverted('0xc4e5ad09'))

/** The row of an address without code. */
export const rowWithoutCode = encodeRow(returned('0x'), returned('0x'), 0)

/** Encodes how a function ended, in 6 words: success and size, and the first 160 bytes. */
function encodeCall({ success, output }: CallResult): Hex {
  const size = (output.length - 2) / 2
  return concat(words((success ? 1n << 128n : 0n) | BigInt(size)), `0x${output.slice(2, 2 + 320).padEnd(320, '0')}`)
}

/** Encodes what the program returns. */
export function encodeOutput(
  { chainId, time, block }: { readonly chainId: number; readonly time: number; readonly block: number },
  rows: readonly Hex[],
): Hex {
  return concat(words(chainId, time, block), ...rows)
}

export function concat(...parts: readonly Hex[]): Hex {
  return `0x${parts.map(part => part.slice(2)).join('')}`
}

/** The addresses of the feeds that a request reads. */
export function addressesOf(body: string): readonly Address[] {
  const { params }: { params: [{ data: Hex }] } = JSON.parse(body)
  const packed = params[0].data.slice(encodeProgram([]).length)
  return (packed.match(/.{40}/g) ?? []).map((address): Address => `0x${address}`)
}
