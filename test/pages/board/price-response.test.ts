import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatExactly, isUnreadable, parseExactly, type ShownRecord } from '../../../pages/board/price-response.ts'
import { type Reading, toListText, toShownList } from '../../support/board/real-list.ts'
import { toRuns } from '../../support/fuzz/runs.ts'

const multiplier = 1_000_566_080_061_092_436n

test('eighteen digits are kept, where a double would round them', () => {
  const [entry] = toShownList({ answer: 27_184_930_217n, sharePrice: 27_169_550_076n, multiplier }).feeds
  expect(entry).toMatchObject({
    price: '271.84930217',
    sharePrice: '271.69550076',
    multiplier: '1.000566080061092436',
  })
  expect(JSON.parse(toListText({ multiplier })).feeds[0].multiplier).toBe(1.0005660800610925)
})

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
    fc.property(readings, one => {
      const [, entryText = ''] = /"feeds":\[(.*)\]\}$/s.exec(toListText(one)) ?? []
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

test('an entry with a problem is a feed that cannot be read', () => {
  const { feeds } = toShownList({ served: false }, 'no data', 'unreadable')
  expect(feeds.map(isUnreadable)).toEqual([false, false, true])
})
