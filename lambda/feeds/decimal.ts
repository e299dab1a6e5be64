import { formatUnits } from 'viem/utils'

declare global {
  interface JSON {
    /** Gives a value that `JSON.stringify` writes as exactly this text (Node 22 and later). */
    rawJSON(text: string): ExactNumber
  }
}

/** A number that is written into JSON with every digit, however many there are. */
export interface ExactNumber {
  readonly rawJSON: string
}

/**
 * Scales an on-chain integer to the exact JSON number (D3).
 *
 * No trailing zeros, no exponent, no `-0`; never a rounded double.
 *
 * @param decimals how many of the integer's digits stand behind the point
 */
export function toExactNumber(integer: bigint, decimals: number): ExactNumber {
  return JSON.rawJSON(formatUnits(integer, decimals))
}
