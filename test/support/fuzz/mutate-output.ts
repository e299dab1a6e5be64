import fc from 'fast-check'
import type { Hex } from 'viem'
import { words as encodeWords } from '../chain/encoding.ts'

/** Places are taken modulo the number of places. */
const at = fc.nat(0xffff)
const by = fc.integer({ min: 1, max: 40 })
const bytes = fc.uint8Array({ maxLength: 200 }).map(part => Buffer.from(part).toString('hex'))
const value = fc.oneof(
  fc.constantFrom(0n, 1n, 2n, 5n, 6n, 7n, 31n, 32n, 159n, 160n, 161n, 255n, 256n, 4663n, 46630n),
  fc.constantFrom(2n ** 53n - 1n, 2n ** 53n, 2n ** 64n - 1n, 2n ** 64n, 2n ** 80n, 2n ** 255n, 2n ** 256n - 1n),
  fc.constantFrom(253_402_300_799n, 253_402_300_800n, 1_790_984_206n, 107_990_000_000n),
  fc.constantFrom(
    ...[0n, 4n, 32n, 160n, 161n, 2n ** 53n].flatMap(size => [size, (1n << 128n) | size, (2n << 128n) | size]),
  ),
  fc.nat(4_000).map(BigInt),
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
)
const selector = fc.constantFrom('e3f18fa8', 'c4e5ad09', '08c379a0', '4e487b71', '1234abcd', '000000', '')
const kinds = <const kind extends string>(...some: kind[]) => fc.constantFrom(...some)

/** A change of words, bytes or bits. Most outputs that it makes cannot come from the program. */
const mutation = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: kinds('bit', 'digit', 'swap words', 'copy word'), at, by }) },
  { weight: 3, arbitrary: fc.record({ kind: kinds('word'), at, value }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: kinds('add'), at, value: fc.constantFrom(1n, -1n, 32n, -32n, 2n ** 128n) }),
  },
  fc.record({ kind: kinds('drop words', 'double words', 'truncate', 'swap rows'), at, by }),
  fc.record({ kind: kinds('append', 'insert'), at, bytes }),
)
/** What another contract would do: a function ends in another way, or an address has no code. */
const callMutation = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: kinds('value'), at, round: fc.nat(1), index: fc.nat(4), value }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: kinds('call'), at, round: fc.nat(1), success: fc.boolean(), selector, bytes }),
  },
  fc.record({ kind: kinds('no code'), at }),
)

type ValueOf<arbitrary> = arbitrary extends fc.Arbitrary<infer value> ? value : never

/** One change of an output. */
export type Mutation = ValueOf<typeof mutation> | ValueOf<typeof callMutation>

/** Some changes, rarely none. */
export const mutations: fc.Arbitrary<readonly Mutation[]> = fc.oneof(
  { weight: 4, arbitrary: fc.array(callMutation, { maxLength: 3 }) },
  { weight: 4, arbitrary: fc.tuple(mutation) },
  fc.tuple(callMutation, mutation, mutation),
)

/** Applies changes to an output of the program, one after another. */
export function mutate(output: Hex, changes: readonly Mutation[]): Hex {
  return `0x${changes.reduce(change, output.slice(2))}`
}

const [headWords, rowWords, callWords] = [3, 13, 6]

function change(hex: string, mutation: Mutation): string {
  const words: readonly string[] = hex.match(/.{1,64}/g) ?? ['']
  const index = mutation.at % words.length
  const word = words[index] ?? ''
  const row = headWords + rowWords * (mutation.at % Math.max(1, Math.floor((words.length - headWords) / rowWords)))
  const digit = mutation.at % Math.max(1, hex.length)
  switch (mutation.kind) {
    case 'bit':
      return withDigit(hex, digit, Number.parseInt(hex.charAt(digit) || '0', 16) ^ (1 << (mutation.by % 4)))
    case 'digit':
      return withDigit(hex, digit, (Number.parseInt(hex.charAt(digit) || '0', 16) + mutation.by) % 16)
    case 'word':
      return words.with(index, toWord(mutation.value)).join('')
    case 'add':
      return words.with(index, toWord(BigInt(`0x${word || 0}`) + mutation.value)).join('')
    case 'copy word':
      return words.with(index, words[(index + mutation.by) % words.length] ?? '').join('')
    case 'swap words':
      return swap(words, index, (index + mutation.by) % words.length, 1).join('')
    case 'swap rows':
      return swap(words, row, row + rowWords, rowWords).join('')
    case 'drop words':
      return words.toSpliced(index, mutation.by).join('')
    case 'double words':
      return words.toSpliced(index, 0, ...words.slice(index, index + mutation.by)).join('')
    case 'truncate':
      return hex.slice(0, digit)
    case 'insert':
      return words.with(index, mutation.bytes + word).join('')
    case 'append':
      return hex + mutation.bytes
    case 'value':
      return withWords(words, row + 2 + callWords * mutation.round + mutation.index, [toWord(mutation.value)])
    case 'call':
      return withWords(
        words,
        row + 1 + callWords * mutation.round,
        encodeCall(mutation.success, mutation.selector + mutation.bytes),
      )
    case 'no code':
      return withWords(words, row, [toWord(0n), ...encodeCall(true, ''), ...encodeCall(true, '')])
  }
}

function encodeCall(success: boolean, output: string): readonly string[] {
  const first = toWord((success ? 1n << 128n : 0n) | BigInt(output.length / 2))
  return [first, ...(output.slice(0, 320).padEnd(320, '0').match(/.{64}/g) ?? [])]
}

function withWords(words: readonly string[], at: number, changed: readonly string[]): string {
  return words.toSpliced(at, changed.length, ...changed).join('')
}

function withDigit(hex: string, place: number, digit: number): string {
  return hex.slice(0, place) + digit.toString(16) + hex.slice(place + 1)
}

function toWord(number: bigint): string {
  return encodeWords(number).slice(2)
}

/** Swaps two parts of a list that do not overlap. */
function swap(words: readonly string[], one: number, other: number, length: number): readonly string[] {
  const [first, second] = [Math.min(one, other), Math.max(one, other)]
  if (first + length > second) return words
  const [a, b] = [words.slice(first, first + length), words.slice(second, second + length)]
  return words.toSpliced(second, length, ...a).toSpliced(first, length, ...b)
}
