import { expect, test } from 'vitest'
import { findSimilar } from '../../../lambda/feeds/similar-symbols.ts'

const symbols = ['AAPL', 'AMC', 'AVGO', 'BA', 'F', 'labTSLA', 'NFLX', 'SHOP']

test.each([
  ['ApPL', ['AAPL'], 'another letter'],
  ['NFLIX', ['NFLX'], 'an added letter'],
  ['vgo', ['AVGO'], 'a missing letter'],
  ['apl', ['AAPL'], 'a missing letter of two that are equal'],
  ['NLFX', ['NFLX'], 'two letters swapped'],
  ['ab', ['BA'], 'both letters swapped'],
  ['LABT', ['labTSLA'], 'the beginning of a symbol'],
  ['shop-usd', ['SHOP'], 'the beginning of the text'],
  ['A', ['AAPL', 'AMC', 'AVGO'], 'at most three symbols'],
  ['X', [], 'nothing in common with F'],
  ['SOHPS', [], 'two differences'],
  ['AAAPPL', [], 'two added letters'],
  ['XXXX', [], 'nothing in common'],
])('similar to %s are %j: %s', (text, similar) => {
  expect(findSimilar(text, symbols)).toEqual(similar)
})
