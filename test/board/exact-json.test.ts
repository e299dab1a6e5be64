import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatExactly, isUnreadable, parseExactly, type ShownEntry } from '../../board/exact-json.ts'
import { type Said, toListText, toShownList } from './real-list.ts'

const multiplier = 1_000_566_080_061_092_436n

test('eighteen digits come through as they were written, where a double would have rounded them', () => {
  const [entry] = toShownList({ answer: 27_184_930_217n, sharePrice: 27_169_550_076n, multiplier }).feeds
  expect(entry).toMatchObject({
    price: '271.84930217',
    sharePrice: '271.69550076',
    multiplier: '1.000566080061092436',
  })
  expect(JSON.parse(toListText({ multiplier })).feeds[0].multiplier).toBe(1.0005660800610925)
})

test('all else is read as JSON reads it', () => {
  const text = toListText({ multiplier }, 'no data', 'unreadable')
  const withoutExact = (list: { feeds: object[] }) => ({
    ...list,
    feeds: list.feeds.map(feed => ({ ...feed, price: 0, sharePrice: 0, multiplier: 0 })),
  })
  expect(withoutExact(parseExactly(text) as { feeds: object[] })).toEqual(withoutExact(JSON.parse(text)))
})

test('a number that is null stays null', () => {
  expect(toShownList('no data').feeds[0]).toMatchObject({ price: null, sharePrice: null, multiplier: null })
})

test('a record is written again byte by byte, but for the space between', () => {
  const said: fc.Arbitrary<Said> = fc.oneof(
    fc.constant('no data' as const),
    fc.record({
      answer: fc.bigInt({ min: 1n, max: 2n ** 255n - 1n }),
      sharePrice: fc.bigInt({ min: 1n, max: 2n ** 255n - 1n }),
      multiplier: fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }),
      served: fc.boolean(),
    }),
  )
  fc.assert(
    fc.property(said, one => {
      const [, entryText = ''] = /"feeds":\[(.*)\]\}$/s.exec(toListText(one)) ?? []
      const entry = parseExactly(entryText) as Exclude<ShownEntry, { problem: unknown }>
      const written = formatExactly(entry)
      expect(written.replaceAll(/\n */g, '').replaceAll(/": /g, '":')).toBe(entryText)
    }),
  )
})

test('a text that speaks of a price is left as it is', () => {
  const text = JSON.stringify({ detail: '"price":1.50, "multiplier":2', price: 'none' })
  expect(parseExactly(text)).toEqual(JSON.parse(text))
})

test('a page in the place of JSON is a syntax error', () => {
  expect(() => parseExactly('<!doctype html>')).toThrow(SyntaxError)
})

test('a feed that could not be read is told from one that has no price', () => {
  expect(toShownList('no data', 'unreadable', {}).feeds.map(isUnreadable)).toEqual([false, true, false])
})
