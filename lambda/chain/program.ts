import type { Address, Hex } from 'viem'
import { Fault } from '../faults.ts'

/** The bytecode of `program.yul`. The functions have no compiler, so a test compiles the source and compares both. */
export const program =
  '0x6100fc601481380304906101a082029160808360600193019160148202908339600190811b0160c88302620493e0820281015a1060ad575a030490620927c0821160b2575b4660005242602090815263a3b1b31d60e01b84526040600485606461c350fa1560ad5760203d0360ad5760605b838110607c57836000f35b6101a09060a86014845160601c940193803b8352609d6020840188888460bc565b868660e085019260dc565b016071565b600080fd5b620927c091506044565b634d8b59fb60e01b835260a092602085019260049290fa60801b3d179052565b633fabe5a360e21b835260a092602085019260049290fa60801b3d17905256'

/** A word of 32 bytes in hexadecimal digits. */
export const wordLength = 64

const blockLength = 3 * wordLength
const rowLength = 13 * wordLength

interface ProgramOutput {
  readonly chainId: number
  /** Unix seconds. About ten blocks share one. */
  readonly blockTime: number
  /** The chain's own (L2) block number. */
  readonly block: number
  /** The rows of all feeds, one after another, in hexadecimal digits without `0x`. */
  readonly rows: string
}

/** Encodes the program and the addresses of the feeds that it reads, for an `eth_call` without `to`. */
export function encodeProgram(addresses: readonly Address[]): Hex {
  return `${program}${addresses.map(address => address.slice(2)).join('')}`
}

/**
 * Splits what the program returned for a number of feeds.
 *
 * @throws {Fault} `malformed-result` when the output has another size than that of so many feeds
 */
export function splitOutput(output: Hex, feeds: number): ProgramOutput {
  const words = output.slice(2)
  if (words.length !== blockLength + feeds * rowLength) throw new Fault('malformed-result')
  return {
    chainId: toSafeNumber(wordAt(words, 0)),
    blockTime: toSafeNumber(wordAt(words, 1)),
    block: toSafeNumber(wordAt(words, 2)),
    rows: words.slice(blockLength),
  }
}

/** Returns the row of a feed, by its place among the addresses of the request. */
export function rowAt(rows: string, index: number): string {
  return rows.slice(index * rowLength, (index + 1) * rowLength)
}

export function wordAt(words: string, index: number): string {
  return words.slice(index * wordLength, (index + 1) * wordLength)
}

/**
 * Converts a word to a number.
 *
 * @throws {Fault} `malformed-result` when it is above 2^53 - 1
 */
export function toSafeNumber(word: string): number {
  const value = Number(`0x${word}`)
  if (!Number.isSafeInteger(value)) throw new Fault('malformed-result')
  return value
}
