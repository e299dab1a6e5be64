import fc from 'fast-check'
import { decodeFunctionData, encodeFunctionResult, type Hex, multicall3Abi } from 'viem'
import { expect, test } from 'vitest'
import { decodeRows, encodeCalls, type Row } from '../../lambda/chain/multicall.ts'
import { Fault } from '../../lambda/faults.ts'

const encodeRows = (rows: readonly Row[]) =>
  encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result: rows })

const bytes = fc.uint8Array({ maxLength: 200 }).map((part): Hex => `0x${Buffer.from(part).toString('hex')}`)
const rows = fc.array(fc.record({ success: fc.boolean(), returnData: bytes }), { minLength: 1, maxLength: 8 })

test('every call may fail alone', () => {
  const calls = [
    { target: '0x0000000000000000000000000000000000000064', callData: '0xa3b1b31d' },
    { target: '0x0000000000000000000000000000000000000065', callData: '0x' },
  ] as const
  expect(decodeFunctionData({ abi: multicall3Abi, data: encodeCalls(calls) })).toEqual({
    functionName: 'aggregate3',
    args: [calls.map(call => ({ ...call, allowFailure: true }))],
  })
})

test('whatever an encoder writes is read as it was', () => {
  fc.assert(
    fc.property(rows, written => {
      expect(decodeRows(encodeRows(written), written.length)).toEqual(written)
    }),
  )
})

test('a result that differs in a single digit is another result or none, never one with the same bytes (D23)', () => {
  fc.assert(
    fc.property(rows, fc.nat(), fc.integer({ min: 1, max: 15 }), (written, at, by) => {
      const result = encodeRows(written)
      const place = 2 + (at % (result.length - 2))
      const digit = ((Number.parseInt(result.charAt(place), 16) + by) % 16).toString(16)
      const mutated: Hex = `0x${result.slice(2, place)}${digit}${result.slice(place + 1)}`
      const read = readOrFault(mutated, written.length)
      if (read !== 'fault') expect(encodeRows(read)).toBe(mutated)
    }),
    { numRuns: 1_000 },
  )
})

const two = encodeRows([
  { success: true, returnData: '0x11' },
  { success: false, returnData: '0x' },
])
const words = two.slice(2).match(/.{64}/g) ?? []
const word = (value: number | bigint) => value.toString(16).padStart(64, '0')
const withWord = (index: number, value: number | bigint): Hex =>
  `0x${words.map((old, at) => (at === index ? word(value) : old)).join('')}`

test.each<[string, Hex]>([
  ['nothing', '0x'],
  ['a row too few', encodeRows([{ success: true, returnData: '0x11' }])],
  ['a row too many', encodeRows(Array(3).fill({ success: false, returnData: '0x' }))],
  ['half a byte more', `${two}0`],
  ['trailing bytes', `${two}${word(0)}`],
  ['a missing word', two.slice(0, -64) as Hex],
  ['a foreign head', withWord(0, 64)],
  ['a count of many millions', withWord(1, 0xffffffffn)],
  ['a count beyond four bytes', withWord(1, (1n << 32n) + 2n)],
  ['shared offsets', withWord(3, Number.parseInt(words[2] ?? '', 16))],
  ['a boolean of two', withWord(4, 2)],
  ['a foreign offset of the bytes', withWord(5, 96)],
  ['a length beyond the end', withWord(6, 0xffffffff)],
  ['dirty padding', withWord(7, (0x11n << 248n) + 1n)],
])('%s is a fault of the endpoint (D23)', (_, result) => {
  expect(() => decodeRows(result, 2)).toThrow(new Fault('malformed-result'))
})

function readOrFault(result: Hex, count: number): Row[] | 'fault' {
  try {
    return decodeRows(result, count)
  } catch (error) {
    expect(error).toBeInstanceOf(Fault)
    return 'fault'
  }
}
