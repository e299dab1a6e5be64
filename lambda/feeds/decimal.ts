import { formatUnits } from 'viem/utils'

declare global {
  interface JSON {
    /** Returns a value that `JSON.stringify` writes as exactly this text (Node 22 and later). */
    rawJSON(text: string): RawNumber
  }
}

export interface RawNumber {
  readonly rawJSON: string
}

/**
 * Scales an on-chain integer to the exact JSON number (D3).
 *
 * The number has no trailing zeros, no exponent and no `-0`, and is never a rounded double.
 *
 * @param decimals how many digits of the integer are decimals
 * @example
 * toRawNumber(1_000566080061092436n, 18) // 1.000566080061092436
 */
export function toRawNumber(integer: bigint, decimals: number): RawNumber {
  return JSON.rawJSON(formatUnits(integer, decimals))
}
