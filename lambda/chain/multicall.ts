import { type Address, encodeAbiParameters, type Hex } from 'viem'
import { Fault } from '../faults.ts'
import { aggregate3, selectors } from './abis.ts'

/** One call of a multicall. */
export interface Call {
  readonly target: Address
  readonly callData: Hex
}

/** The result of one call of a multicall: its return data, or its revert data. */
export interface Row {
  readonly success: boolean
  readonly returnData: Hex
}

/** Encodes calls as one `aggregate3`, in which each may fail alone. */
export function encodeCalls(calls: readonly Call[]): Hex {
  const rows = calls.map(({ target, callData }) => ({ target: toLowerCase(target), allowFailure: true, callData }))
  return `${selectors.aggregate3}${encodeAbiParameters(aggregate3.inputs, [rows]).slice(2)}`
}

/** viem hashes an address in mixed case to check it; in lower case it takes it as it is. */
function toLowerCase(address: Address): Address {
  return `0x${address.slice(2).toLowerCase()}`
}

/**
 * Decodes what `aggregate3` returned for this many calls.
 *
 * Accepts the canonical encoding alone, read front to back: every offset where an encoder puts it, clean booleans and padding, no byte more.
 * So the work is linear in the size of the result.
 *
 * @throws {Fault} `malformed-result` for anything else
 */
export function decodeRows(result: Hex, count: number): Row[] {
  const words = createWordReader(result)
  words.expect(32)
  words.expect(count)
  const offsets = Array.from({ length: count }, () => words.takeNumber())
  const start = words.position() - 32 * count
  const rows = offsets.map(offset => {
    if (start + offset !== words.position()) throw new Fault('malformed-result')
    const success = words.takeNumber()
    if (success > 1) throw new Fault('malformed-result')
    words.expect(64)
    return { success: success === 1, returnData: words.takeBytes(words.takeNumber()) }
  })
  words.expectEnd()
  return rows
}

/** Reads 32-byte words and padded bytes, front to back. Positions are in bytes. What the result lacks at its end is read as empty, and `expectEnd` fails. */
function createWordReader(result: Hex) {
  let at = 2
  const take = (bytes: number): string => {
    const text = result.slice(at, at + 2 * bytes)
    at += 2 * bytes
    return text
  }
  // Every number here is an offset, a length or a flag, so it fits into four bytes.
  const takeNumber = (): number => {
    if (Number(`0x${take(28)}`) !== 0) throw new Fault('malformed-result')
    return Number.parseInt(take(4), 16)
  }
  return {
    takeNumber,
    position: () => at / 2,
    expect: (value: number) => {
      if (takeNumber() !== value) throw new Fault('malformed-result')
    },
    takeBytes: (length: number): Hex => {
      const bytes = take(length)
      if (/[^0]/.test(take((32 - (length % 32)) % 32))) throw new Fault('malformed-result')
      return `0x${bytes}`
    },
    expectEnd: () => {
      if (at !== result.length) throw new Fault('malformed-result')
    },
  }
}
