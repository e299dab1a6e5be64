import { expect, test } from 'vitest'
import { formatAge, formatChange, formatPrice, roundMultiplier } from '../../../pages/board/shown-number.ts'

test.each([
  ['100', '100.42', '+0.42 %'],
  ['100', '99.5', '−0.50 %'],
  ['100', '100.00000001', '0.00 %'],
  ['100', '99.99999999', '0.00 %'],
  ['100', '100', ''],
  ['100', null, ''],
  [undefined, '100', ''],
])('the change from %s to %s is %j', (first, price, text) => {
  expect(formatChange(first, price)).toBe(text)
})

test.each([
  ['11029', '11029.00'],
  ['1079.9', '1079.90'],
  ['2.87', '2.87'],
  ['269.61198242', '269.61198242'],
  [null, null],
])('the price %s is shown as %s', (price, text) => {
  expect(formatPrice(price)).toBe(text)
})

test.each([
  ['1.000566080061092436', '1.000566'],
  ['1.0090995', '1.0091'],
  ['1.9999999', '2'],
  ['10', '10'],
  ['0.000000123', '0.000000123'],
  [null, null],
])('the multiplier %s is shown as %s', (multiplier, text) => {
  expect(roundMultiplier(multiplier)).toBe(text)
})

test.each([
  [-5, '0 s'],
  [0, '0 s'],
  [0.9, '0 s'],
  [59.99, '59 s'],
  [60, '1 min'],
  [61, '1 min 1 s'],
  [3_599, '59 min 59 s'],
  [3_600, '1 h'],
  [3_659, '1 h'],
  [7_500, '2 h 5 min'],
  [86_399, '23 h 59 min'],
  [86_400, '1 d'],
  [4_218_561, '48 d 19 h'],
])('an age of %d seconds is formatted as %s', (seconds, text) => {
  expect(formatAge(seconds)).toBe(text)
})
