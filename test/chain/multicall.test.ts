import fc from 'fast-check'
import { decodeFunctionData, type Hex, multicall3Abi } from 'viem'
import { expect, test } from 'vitest'
import { decodeRows, encodeCalls, type Row } from '../../lambda/chain/multicall.ts'
import { Fault } from '../../lambda/faults.ts'
import { encodeRows, returned, reverted, words } from './encoding.ts'

const bytes = fc.uint8Array({ maxLength: 200 }).map((part): Hex => `0x${Buffer.from(part).toString('hex')}`)
const rows = fc.array(fc.record({ success: fc.boolean(), returnData: bytes }), { minLength: 1, maxLength: 8 })

test('every call may fail without the others', () => {
  const calls = [
    { target: '0x0000000000000000000000000000000000000064', callData: '0xa3b1b31d' },
    { target: '0x0000000000000000000000000000000000000065', callData: '0x' },
  ] as const
  expect(decodeFunctionData({ abi: multicall3Abi, data: encodeCalls(calls) })).toEqual({
    functionName: 'aggregate3',
    args: [calls.map(call => ({ ...call, allowFailure: true }))],
  })
})

test('decoding what an encoder writes returns the same rows', () => {
  fc.assert(
    fc.property(rows, original => {
      expect(decodeRows(encodeRows(original), original.length)).toEqual(original)
    }),
  )
})

test('a result with one changed digit decodes to other rows or not at all (D23)', () => {
  fc.assert(
    fc.property(rows, fc.nat(), fc.integer({ min: 1, max: 15 }), (original, at, by) => {
      const result = encodeRows(original)
      const place = 2 + (at % (result.length - 2))
      const digit = ((Number.parseInt(result.charAt(place), 16) + by) % 16).toString(16)
      const mutated: Hex = `0x${result.slice(2, place)}${digit}${result.slice(place + 1)}`
      const decoded = decodeOrFault(mutated, original.length)
      if (decoded !== 'fault') expect(encodeRows(decoded)).toBe(mutated)
    }),
    { numRuns: 1_000 },
  )
})

const two = encodeRows([returned('0x11'), reverted('0x')])
const numbers = (two.slice(2).match(/.{64}/g) ?? []).map(word => BigInt(`0x${word}`))
const withWord = (index: number, value: number | bigint) => words(...numbers.with(index, BigInt(value)))

test.each<[string, Hex]>([
  ['nothing', '0x'],
  ['a row too few', encodeRows([returned('0x11')])],
  ['a row too many', encodeRows(Array(3).fill(reverted('0x')))],
  ['half a byte more', `${two}0`],
  ['trailing bytes', `${two}${words(0).slice(2)}`],
  ['a missing word', two.slice(0, -64) as Hex],
  ['another offset of the rows', withWord(0, 64)],
  ['a count of many millions', withWord(1, 0xffffffffn)],
  ['a count beyond four bytes', withWord(1, (1n << 32n) + 2n)],
  ['shared offsets', withWord(3, numbers[2] ?? 0n)],
  ['a boolean of two', withWord(4, 2)],
  ['another offset of the bytes', withWord(5, 96)],
  ['a length beyond the end', withWord(6, 0xffffffff)],
  ['dirty padding', withWord(7, (0x11n << 248n) + 1n)],
])('a result with %s is a fault of the endpoint (D23)', (_, result) => {
  expect(() => decodeRows(result, 2)).toThrow(new Fault('malformed-result'))
})

function decodeOrFault(result: Hex, count: number): Row[] | 'fault' {
  try {
    return decodeRows(result, count)
  } catch (error) {
    expect(error).toBeInstanceOf(Fault)
    return 'fault'
  }
}
