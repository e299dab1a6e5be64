import { expect, test } from 'vitest'
import { formatRounding } from '../../../pages/board/rounding.ts'

test.for([
  ['is exact', '269.975', '4', '1079.9', 'The product is the price.'],
  ['is exact, with a fraction on both sides', '0.5', '1.5', '0.75', 'The product is the price.'],
  [
    'is rounded down',
    '0.5',
    '1.0000000000001',
    '0.5',
    'The product is less than 0.01 × 10⁻⁸ USD above the price, because the feed rounds.',
  ],
  ['is one unit too low', '269.975', '4', '1079.89999999', 'The product is 1.00 × 10⁻⁸ USD above the price.'],
  [
    'of a total-return feed is less than the multiplier, four units, higher',
    '68.28086419',
    '4',
    '273.12345679',
    'The product is 3.00 × 10⁻⁸ USD below the price, because the feed rounds.',
  ],
  ['is four units too high', '68.28086419', '4', '273.1234568', 'The product is 4.00 × 10⁻⁸ USD below the price.'],
  [
    'differs by less than a double can hold',
    '90071992547409.93',
    '1',
    '90071992547409.93000001',
    'The product is 1.00 × 10⁻⁸ USD below the price.',
  ],
  ['is known without a share price', null, '1', '2', undefined],
] as const)('the product is compared with the price, which %s', ([, sharePrice, multiplier, price, words]) => {
  expect(formatRounding({ sharePrice, multiplier, price, servesLatestRoundData: true })).toBe(words)
})

test('without a price nothing is compared; an answer of 0 that is served, with the status OK, is explained', () => {
  const none = { price: null, sharePrice: null, multiplier: '1' }
  expect(formatRounding({ ...none, servesLatestRoundData: false })).toBe(undefined)
  expect(formatRounding({ ...none, servesLatestRoundData: true })).toBe(
    'The product is below 10⁻⁸ USD, which is 0 in the feed’s decimals.',
  )
})
