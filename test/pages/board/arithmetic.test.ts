import { expect, test } from 'vitest'
import { formatArithmetic, formatRounding } from '../../../pages/board/arithmetic.ts'

test.for([
  ['is exact', '269.975', '4', '1079.9', '='],
  ['is exact, with a fraction on both sides', '0.5', '1.5', '0.75', '='],
  ['is rounded', '271.69550076', '1.000566080061092436', '271.84930217', '≈'],
  ['is rounded down', '0.5', '1.0000000000001', '0.5', '≈'],
  ['is one unit too low', '269.975', '4', '1079.89999999', '≠'],
  ['of a total-return feed is less than the multiplier, four units, higher', '68.28086419', '4', '273.12345679', '≈'],
  ['is four units too high', '68.28086419', '4', '273.1234568', '≠'],
  ['is another number', '269.975', '1', '1079.9', '≠'],
  ['differs by less than a double can hold', '90071992547409.93', '1', '90071992547409.93000001', '≠'],
] as const)('the sign compares product and price: the price %s', ([, sharePrice, multiplier, price, sign]) => {
  expect(formatArithmetic({ sharePrice, multiplier, price })).toBe(
    `${sharePrice} USD per share × ${multiplier} ${sign} ${price} USD per token`,
  )
})

test('without all three numbers no product is shown (D10)', () => {
  expect(formatArithmetic({ sharePrice: '100.5', multiplier: null, price: null })).toBe(
    'none (share price 100.5, multiplier none)',
  )
  expect(formatArithmetic({ sharePrice: null, multiplier: '1', price: '2' })).toBe('2 (share price none, multiplier 1)')
})

test.for([
  ['269.975', '4', '1079.9', 'The product is exact.'],
  [
    '271.69550076',
    '1.000566080061092436',
    '271.84930217',
    'The product is 0.43 × 10⁻⁸ USD lower, because the feed rounds. The price is the feed’s own.',
  ],
  [
    '0.5',
    '1.0000000000001',
    '0.5',
    'The product is less than 0.01 × 10⁻⁸ USD higher, because the feed rounds. The price is the feed’s own.',
  ],
  [
    '68.28086419',
    '4',
    '273.12345679',
    'The product is 3.00 × 10⁻⁸ USD lower, because the feed rounds. The price is the feed’s own.',
  ],
  ['1', '1', '1.00000002', 'The product is 2.00 × 10⁻⁸ USD lower. The price is the feed’s own.'],
  [null, '1', '2', undefined],
] as const)('%s × %s beside %s: the rounding is stated', ([sharePrice, multiplier, price, words]) => {
  expect(formatRounding({ sharePrice, multiplier, price, servesLatestRoundData: price !== null })).toBe(words)
})

test('a price of 0 that is served, with the status OK, is explained', () => {
  const none = { price: null, sharePrice: null, multiplier: '1' }
  expect(formatRounding({ ...none, servesLatestRoundData: true })).toBe(
    'The product is below 10⁻⁸ USD, which is 0 in the feed’s decimals.',
  )
})
