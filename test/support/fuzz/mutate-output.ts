import fc from 'fast-check'
import type { Hex } from 'viem'
import { encodeCall, words as encodeWords, rowWithoutCode } from '../chain/encoding.ts'

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
const kinds = <const kind extends string>(...all: kind[]) => fc.constantFrom(...all)

/** A change of words or digits. Most outputs that it makes cannot come from the program. */
const mutation = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: kinds('digit', 'copy word'), at, by }) },
  { weight: 3, arbitrary: fc.record({ kind: kinds('word'), at, value }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: kinds('add'), at, value: fc.constantFrom(1n, -1n, 32n, -32n, 2n ** 128n) }),
  },
  fc.record({ kind: kinds('rotate rows', 'truncate'), at }),
  fc.record({ kind: kinds('append'), at, bytes }),
)
/** What another contract would do: a function ends in another way, or an address has no code. */
const callMutation = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: kinds('value'), at, callIndex: fc.nat(1), index: fc.nat(4), value }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: kinds('call'), at, callIndex: fc.nat(1), success: fc.boolean(), selector, bytes }),
  },
  fc.record({ kind: kinds('no code'), at }),
)

/** What an arbitrary generates. */
export type ValueOf<arbitrary> = arbitrary extends fc.Arbitrary<infer value> ? value : never

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

const [blockWords, rowWords, callWords] = [3, 13, 6]

function change(hex: string, mutation: Mutation): string {
  const words: readonly string[] = hex.match(/.{1,64}/g) ?? ['']
  const index = mutation.at % words.length
  const word = words[index] ?? ''
  const row = blockWords + rowWords * (mutation.at % Math.max(1, Math.floor((words.length - blockWords) / rowWords)))
  const place = mutation.at % Math.max(1, hex.length)
  switch (mutation.kind) {
    case 'digit': {
      const digit = (Number.parseInt(hex.charAt(place) || '0', 16) + mutation.by) % 16
      return hex.slice(0, place) + digit.toString(16) + hex.slice(place + 1)
    }
    case 'word':
      return words.with(index, toWord(mutation.value)).join('')
    case 'add':
      return words.with(index, toWord(BigInt(`0x${word || 0}`) + mutation.value)).join('')
    case 'copy word':
      return words.with(index, words[(index + mutation.by) % words.length] ?? '').join('')
    case 'rotate rows':
      return [...words.slice(0, blockWords), ...words.slice(row), ...words.slice(blockWords, row)].join('')
    case 'truncate':
      return hex.slice(0, place)
    case 'append':
      return hex + mutation.bytes
    case 'value':
      return withWords(words, row + 2 + callWords * mutation.callIndex + mutation.index, toWord(mutation.value))
    case 'call': {
      const call = encodeCall({ success: mutation.success, output: `0x${mutation.selector}${mutation.bytes}` })
      return withWords(words, row + 1 + callWords * mutation.callIndex, call.slice(2))
    }
    case 'no code':
      return withWords(words, row, rowWithoutCode.slice(2))
  }
}

function withWords(words: readonly string[], at: number, changed: string): string {
  return words.toSpliced(at, changed.length / 64, changed).join('')
}

function toWord(number: bigint): string {
  return encodeWords(number).slice(2)
}
