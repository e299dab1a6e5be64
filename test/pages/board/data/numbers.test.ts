import { expect, test } from 'vitest'
import {
  formatAge,
  formatExactPrice,
  formatMultiplier,
  formatPrice,
  formatShares,
} from '../../../../pages/board/data/numbers.ts'

test.each<[`${number}`, string]>([
  ['1.005', '1.01'],
  ['1', '1.00'],
  ['999.995', '1,000.00'],
  ['0.12345', '0.1235'],
  ['0.0001', '0.0001'],
  ['0.00009999', '< 0.0001'],
  ['0', '0'],
])('a price of %s is read as %s', (exact, text) => {
  expect(formatPrice(exact)).toBe(text)
})

test.each<[`${number}`, string]>([
  ['4', '4'],
  ['1.013912345678901234', '1.0139'],
  ['1.00004', '1'],
  ['1.00005', '1.0001'],
  ['0.0001', '0.0001'],
  ['0.00009999', '< 0.0001'],
])('a multiplier of %s is shown as %s', (exact, text) => {
  expect(formatMultiplier(exact)).toBe(text)
})

test.each<[`${number}`, string]>([
  ['1079.9', '1,079.90'],
  ['3', '3.00'],
  ['0.00000001', '0.00000001'],
  ['123456789012345678.12345678', '123,456,789,012,345,678.12345678'],
])('a price of %s with every digit is %s', (exact, text) => {
  expect(formatExactPrice(exact)).toBe(text)
})

test.each<[`${number}`, string]>([
  ['1', '1 share'],
  ['4', '4 shares'],
  ['1.000566080061092436', '1.000566080061092436 shares'],
])('a multiplier of %s with every digit is %s', (exact, text) => {
  expect(formatShares(exact)).toBe(text)
})

test.each([
  [59.9, '59 s'],
  [647, '10 min 47 s'],
  [7_200, '2 h'],
  [284_400, '3 d 7 h'],
  [-5, '0 s'],
])('%d seconds are an age of %s', (seconds, text) => {
  expect(formatAge(seconds)).toBe(text)
})
