import { expect, test } from 'vitest'
import { formatChange, roundMultiplier } from '../../board/shown-number.ts'

test.each([
  ['100', '100.42', '+0.42 %'],
  ['100', '99.5', '−0.50 %'],
  ['100', '100.00000001', '+0.00 %'],
  ['100', '100', ''],
  ['100', null, ''],
  [undefined, '100', ''],
])('the change from %s to %s is %j', (first, price, text) => {
  expect(formatChange(first, price)).toBe(text)
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
