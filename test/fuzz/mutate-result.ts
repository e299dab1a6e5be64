import fc from 'fast-check'
import type { Hex } from 'viem'
import type { Row } from '../../lambda/chain/multicall.ts'
import { encodeRows, words as encodeWords } from '../chain/encoding.ts'
import { decodeRowsReference } from './reference.ts'

/** Places are taken modulo the number of places. */
const at = fc.nat(0xffff)
const by = fc.integer({ min: 1, max: 40 })
const bytes = fc.uint8Array({ maxLength: 70 }).map(part => Buffer.from(part).toString('hex'))
const value = fc.oneof(
  fc.constantFrom(0n, 1n, 2n, 5n, 6n, 7n, 31n, 32n, 64n, 96n, 128n, 160n, 255n, 256n, 4663n, 46630n),
  fc.constantFrom(
    2n ** 32n,
    2n ** 53n - 1n,
    2n ** 53n,
    2n ** 64n - 1n,
    2n ** 64n,
    2n ** 80n,
    2n ** 255n,
    2n ** 256n - 1n,
  ),
  fc.constantFrom(253_402_300_799n, 253_402_300_800n, 1_790_984_206n, 107_990_000_000n),
  fc.nat(4_000).map(BigInt),
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
)
const selectors = fc.constantFrom('e3f18fa8', 'c4e5ad09', '08c379a0', '4e487b71', '1234abcd', '000000', '')
const row = fc.record({
  success: fc.boolean(),
  returnData: fc.tuple(selectors, fc.oneof(fc.constant(''), bytes)).map((parts): Hex => `0x${parts.join('')}`),
})

const failed: Row = { success: false, returnData: '0x' }

const kinds = <const kind extends string>(...some: kind[]) => fc.constantFrom(...some)
/** A change of the bytes, after which most are not canonical. */
const bytesMutation = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: kinds('bit', 'digit'), at, by }) },
  { weight: 3, arbitrary: fc.record({ kind: kinds('word'), at, value }) },
  { weight: 2, arbitrary: fc.record({ kind: kinds('add'), at, value: fc.constantFrom(1n, -1n, 32n, -32n, 64n) }) },
  fc.record({ kind: kinds('drop word', 'double words', 'truncate', 'copy word', 'swap words'), at, by }),
  fc.record({ kind: kinds('append', 'insert'), at, bytes }),
)
/** A change of the rows, in canonical encoding. */
const rowsMutation = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: kinds('value'), at, inner: fc.nat(1), index: fc.nat(4), value }) },
  { weight: 2, arbitrary: fc.record({ kind: kinds('row', 'inner row'), at, inner: fc.nat(1), row }) },
  fc.record({ kind: kinds('swap rows', 'drop row', 'double row'), at, by }),
  fc.record({ kind: kinds('inner row'), at, inner: fc.nat(2), row: fc.constant(failed) }),
  fc.record({ kind: kinds('append to row'), at, inner: fc.nat(1), bytes }),
  fc.record({ kind: kinds('value'), at: fc.constant(0xffff), inner: fc.constant(0), index: fc.constant(0), value }),
)

type ValueOf<arbitrary> = arbitrary extends fc.Arbitrary<infer value> ? value : never

/** One change of a correct result. */
export type Mutation = ValueOf<typeof bytesMutation> | ValueOf<typeof rowsMutation>

/** Some changes, rarely none: first of the rows, then of the bytes. */
export const mutations: fc.Arbitrary<readonly Mutation[]> = fc.oneof(
  { weight: 4, arbitrary: fc.array(rowsMutation, { maxLength: 3 }) },
  { weight: 4, arbitrary: fc.tuple(bytesMutation) },
  fc.tuple(rowsMutation, bytesMutation, bytesMutation),
)

/** Applies changes to a result, one after another. */
export function mutate(result: Hex, changes: readonly Mutation[]): Hex {
  return changes.reduce((changed, change) => changeRows(changed, change) ?? changeBytes(changed, change), result)
}

function changeBytes(result: Hex, change: Mutation): Hex {
  const hex = result.slice(2)
  const words: readonly string[] = hex.match(/.{1,64}/g) ?? []
  const wordAt = (place: number) => (words.length === 0 ? 0 : place % words.length)
  const word = words[wordAt(change.at)] ?? ''
  const withWord = (text: string) => `0x${words.with(wordAt(change.at), text).join('')}` as const
  const digitAt = hex.length === 0 ? 0 : change.at % hex.length
  if (hex.length === 0 && change.kind !== 'append') return result
  switch (change.kind) {
    case 'bit':
      return `0x${withDigit(hex, digitAt, Number.parseInt(hex.charAt(digitAt), 16) ^ (1 << (change.by % 4)))}`
    case 'digit':
      return `0x${withDigit(hex, digitAt, (Number.parseInt(hex.charAt(digitAt), 16) + change.by) % 16)}`
    case 'word':
      return withWord(toWord(change.value))
    case 'add':
      return withWord(toWord(BigInt(`0x${word}`) + change.value))
    case 'drop word':
      return withWord('')
    case 'double words':
      return withWord(words.slice(wordAt(change.at), wordAt(change.at) + change.by).join('') + word)
    case 'truncate':
      return `0x${hex.slice(0, digitAt)}`
    case 'copy word':
      return withWord(words[wordAt(change.at + change.by)] ?? '')
    case 'swap words':
      return `0x${swap(words, wordAt(change.at), wordAt(change.at + change.by)).join('')}`
    case 'insert':
      return withWord(change.bytes + word)
    case 'append':
      return `0x${hex}${change.bytes}`
    default:
      return result
  }
}

function withDigit(hex: string, place: number, digit: number): string {
  return hex.slice(0, place) + digit.toString(16) + hex.slice(place + 1)
}

function toWord(number: bigint): string {
  return encodeWords(number).slice(2)
}

function swap<one>(list: readonly one[], first: number, second: number): one[] {
  const [a, b] = [list[first], list[second]]
  return list.map((entry, index) => (index === first && b ? b : index === second && a ? a : entry))
}

/** Changes rows; undefined for a change of bytes, or when the bytes are no rows any more. */
function changeRows(result: Hex, change: Mutation): Hex | undefined {
  const rows = decodeRowsReference(result, Number.parseInt(result.slice(66, 130) || '0', 16))
  const place = toPlace(change.at, rows?.length ?? 0)
  const old = rows?.[place]
  if (rows === undefined || old === undefined) return undefined
  const replaceInner = (inner: number, toRow: (row: Row) => Row) =>
    encodeRows(rows.with(place, withInner(old, inner, toRow)))
  switch (change.kind) {
    case 'swap rows':
      return encodeRows(swap(rows, place, (place + change.by) % rows.length))
    case 'drop row':
      return encodeRows(rows.toSpliced(place, 1))
    case 'double row':
      return encodeRows(rows.toSpliced(place, 0, old))
    case 'row':
      return encodeRows(rows.with(place, change.row))
    case 'inner row':
      return replaceInner(change.inner, () => change.row)
    case 'append to row':
      return replaceInner(change.inner, one => ({ ...one, returnData: `${one.returnData}${change.bytes}` }))
    case 'value':
      return replaceInner(change.inner, one => withValue(one, change.index, change.value))
    default:
      return undefined
  }
}

/** Most changes are for the feeds' rows, after the three rows of the head. 0xffff is the last of those, the block. */
function toPlace(at: number, length: number): number {
  return at < 0xe000 && length > 3 ? 3 + (at % (length - 3)) : (at + 2) % Math.min(3, length)
}

/** Changes one of the two rows within a feed's row, or the row itself if it has none. */
function withInner(old: Row, inner: number, toRow: (row: Row) => Row): Row {
  const pair = decodeRowsReference(old.returnData, 2)
  const chosen = pair?.[inner]
  return pair && chosen ? { ...old, returnData: encodeRows(pair.with(inner, toRow(chosen))) } : toRow(old)
}

function withValue(row: Row, index: number, value: bigint): Row {
  const list: readonly string[] = row.returnData.slice(2).match(/.{1,64}/g) ?? []
  const changed = list.length === 0 ? list : list.with(index % list.length, toWord(value))
  return { ...row, returnData: `0x${changed.join('')}` }
}
