import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatExactly, parseExactly, type ShownRecord } from '../../../pages/board/price-response.ts'
import { type Reading, toListText } from '../../support/board/real-list.ts'
import { toRuns } from '../../support/fuzz/runs.ts'

test('a formatted record is the API’s own text, except for white space', () => {
  const readings: fc.Arbitrary<Reading> = fc.oneof(
    fc.constant('no data' as const),
    fc.record({
      answer: fc.bigInt({ min: 1n, max: 2n ** 255n - 1n }),
      sharePrice: fc.bigInt({ min: 1n, max: 2n ** 255n - 1n }),
      multiplier: fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }),
      served: fc.boolean(),
    }),
  )
  fc.assert(
    fc.property(readings, reading => {
      const [, entryText = ''] = /"feeds":\[(.*)\]\}$/s.exec(toListText(reading)) ?? []
      const entry = parseExactly(entryText) as ShownRecord
      const written = formatExactly(entry)
      expect(written.replaceAll(/\n */g, '').replaceAll(/": /g, '":')).toBe(entryText)
    }),
    toRuns(500),
  )
})

test('a string that contains the name of a field is not changed', () => {
  const text = JSON.stringify({ detail: '"price":1.50, "multiplier":2', price: 'none' })
  expect(parseExactly(text)).toEqual(JSON.parse(text))
})
