import { expect, test } from 'vitest'
import { toArithmetic } from '../../board/arithmetic.ts'

test.for([
  ['exactly', '269.975', '4', '1079.9', '='],
  ['exactly, with a fraction on both sides', '0.5', '1.5', '0.75', '='],
  ['but for what is rounded', '271.69550076', '1.000566080061092436', '271.84930217', '≈'],
  ['but for one unit', '269.975', '4', '1079.90000001', '≈'],
  ['but for one unit less', '269.975', '4', '1079.89999999', '≈'],
  ['not by two units', '269.975', '4', '1079.90000002', '≠'],
  ['not by two units less', '269.975', '4', '1079.89999998', '≠'],
  ['not at all', '269.975', '1', '1079.9', '≠'],
  ['though a double could not tell', '90071992547409.93', '1', '90071992547409.93000001', '≈'],
] as const)('a product is the price %s', ([, sharePrice, multiplier, price, sign]) => {
  expect(toArithmetic({ sharePrice, multiplier, price })).toBe(
    `${sharePrice} USD per share × ${multiplier} ${sign} ${price} USD per token`,
  )
})

test('where a number is missing nothing is said to be a product (D10)', () => {
  expect(toArithmetic({ sharePrice: '100.5', multiplier: null, price: null })).toBe(
    'none (share price 100.5, multiplier none)',
  )
  expect(toArithmetic({ sharePrice: null, multiplier: '1', price: '2' })).toBe('2 (share price none, multiplier 1)')
})
