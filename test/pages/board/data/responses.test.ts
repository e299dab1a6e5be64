import { expect, test } from 'vitest'
import { isListOf, parseExactly } from '../../../../pages/board/data/responses.ts'
import { toListText } from '../../../support/board/real-list.ts'

const list = Object(parseExactly(toListText({}, 'unreadable')))
const [entry, unreadable] = list.feeds
const toList = (changed: object) => ({ ...list, feeds: [{ ...entry, ...changed }] })

test('a price keeps every digit, also of a response that a proxy has indented', () => {
  const exact = { price: '1.50', sharePrice: null, multiplier: '1.000566080061092436', name: '"price":1' }
  const text = '{"price": 1.50,"sharePrice":null,"multiplier":1.000566080061092436,"name":"\\"price\\":1"}'
  expect(parseExactly(text)).toEqual(exact)
  expect(parseExactly('<h1>Welcome</h1>')).toBeUndefined()
})

const oddLists: readonly unknown[] = [
  ...[undefined, '', null, 'text', 1, []],
  ...[undefined, null, 'text', {}, 3].map(feeds => ({ ...list, feeds })),
  ...[null, 'text', {}, [], 1].map(odd => ({ ...list, feeds: [entry, odd] })),
  { ...list, feeds: [entry, entry] },
  { ...list, network: 'Robinhood Chain Testnet' },
  { ...list, block: '5' },
  { ...list, readAt: '2026-99-99T00:00:00.000Z' },
  { ...list, feeds: [{ ...entry, problem: null }] },
  ...[null, 'text', {}, { detail: 5 }].map(problem => ({ ...list, feeds: [{ ...unreadable, problem }] })),
]

test.each(oddLists)('a list such as %j is not shown', response => {
  expect(isListOf('mainnet', list)).toBe(true)
  expect(isListOf('mainnet', response)).toBe(false)
})

const odd: Readonly<Record<string, readonly unknown[]>> = {
  name: [undefined, null, 5, ''],
  maxAgeSeconds: [null, '900', -1],
  symbol: [undefined, null, '', 5, '../x'],
  network: [undefined],
  status: [undefined, null, 'ok', 0, 'Unheard of'],
  servesLatestRoundData: [undefined, null, 'true', 1],
  latestRoundDataReverts: [null, 5, '', 'Not one word'],
  price: [undefined, 'text', true, {}, 5, '-1'],
  sharePrice: [undefined, 'text', []],
  multiplier: [undefined, 'text'],
  observedAtIso: [undefined, 'text', 5, '2026-13-01T00:00:00Z'],
  ageSeconds: [undefined, 'text', 1.5, -1, 1e300],
  answerRaw: [undefined, 1],
  feed: [undefined, '0x12', "0x'; rm -rf"],
  token: [undefined, null],
  explorer: [undefined, null, 'text', {}, { feed: 'javascript:alert(1)', token: 'https://a.example' }],
  block: [undefined, null, '5', -1, 1.5],
  readAt: [undefined, 'now'],
}

test.each(Object.entries(odd))('a list is not shown with an odd %s of a record', (field, values) => {
  expect(isListOf('mainnet', toList({}))).toBe(true)
  for (const value of values) expect(isListOf('mainnet', toList({ [field]: value })), String(value)).toBe(false)
})
