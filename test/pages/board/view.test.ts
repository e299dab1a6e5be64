import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ofEachNetwork } from '../../../api/networks.ts'
import { chipLabels } from '../../../pages/board/statuses.ts'
import { arrange, columns, findNext, formatView, parseView, type View } from '../../../pages/board/view.ts'
import { toShownList } from '../../support/board/real-list.ts'
import { toRuns } from '../../support/fuzz/runs.ts'

const defaultView: View = {
  network: 'mainnet',
  hasUnknownNetwork: false,
  search: '',
  show: '',
  sortBy: 'symbol',
  descending: false,
  feed: undefined,
}

test('a query contains what differs from the default view', () => {
  expect(formatView(defaultView)).toBe('')
  const view: View = {
    ...defaultView,
    network: 'testnet',
    search: 'ts',
    show: 'Market closed',
    sortBy: 'sharePrice',
    descending: true,
    feed: 'TSLA',
  }
  expect(formatView(view)).toBe('?network=testnet&search=ts&show=Market+closed&sort=-sharePrice&feed=TSLA')
  expect(formatView({ ...defaultView, descending: true })).toBe('?sort=-symbol')
})

test('parsing a formatted view returns the same view', () => {
  const views = fc.record({
    network: fc.constantFrom('mainnet' as const, 'testnet' as const),
    hasUnknownNetwork: fc.constant(false),
    search: fc.string({ unit: 'grapheme-ascii', maxLength: 64 }),
    show: fc.constantFrom('', 'served', 'not-served', ...chipLabels),
    sortBy: fc.constantFrom(...columns.map(([key]) => key)),
    descending: fc.boolean(),
    feed: fc.option(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 64 }), { nil: undefined }),
  })
  fc.assert(
    fc.property(views, view => {
      expect(parseView(formatView(view))).toEqual(view)
    }),
    toRuns(500),
  )
})

test.each([
  '',
  '?network=',
  '?network=moon&network=mainnet',
  '?show=nothing',
  '?show=refused',
  '?sort=constructor',
  '?feed=',
  '?search=',
  '?%',
  '?utm_source=mail',
])('the query %j is the default view', query => {
  expect(parseView(query)).toEqual(defaultView)
})

test('a network that does not exist is not the default (D6)', () => {
  const unknown = { ...defaultView, hasUnknownNetwork: true }
  expect(parseView('?network=moon')).toEqual(unknown)
  expect(parseView('?network=testnet&network=constructor')).toEqual(unknown)
})

test('symbol and search are cut to 64 characters, more than an address has', () => {
  const long = 'x'.repeat(1_000)
  expect(parseView(`?search=${long}&feed=${long}`)).toEqual({
    ...defaultView,
    search: 'x'.repeat(64),
    feed: 'x'.repeat(64),
  })
})

const million = 10n ** 18n
const { feeds } = toShownList(
  { status: 'Stale', answer: 5n, sharePrice: 50n, multiplier: 2n * million, observedAt: 300, served: false }, // AAPL
  { status: 'OK', answer: 7n, sharePrice: 7n, multiplier: 3n * million, observedAt: 500 }, // AMC
  'no data', // AVGO
  'unreadable', // BA
  { status: 'Market closed', answer: 6n, sharePrice: 60n, multiplier: million, observedAt: 400 }, // CCL
)

const feedNames = {
  ...ofEachNetwork(() => ({})),
  mainnet: { AMC: 'AMC Entertainment', BA: 'Boeing', CCL: 'Carnival' },
}

const arranged = (query: string) => arrange(feeds, parseView(query), feedNames).map(({ symbol }) => symbol)

test.each([
  ['symbol', ['AAPL', 'AMC', 'AVGO', 'BA', 'CCL'], ['CCL', 'BA', 'AVGO', 'AMC', 'AAPL']],
  ['status', ['AMC', 'CCL', 'AAPL', 'AVGO', 'BA'], ['BA', 'AVGO', 'AAPL', 'CCL', 'AMC']],
  ['price', ['AAPL', 'CCL', 'AMC', 'AVGO', 'BA'], ['AMC', 'CCL', 'AAPL', 'AVGO', 'BA']],
  ['sharePrice', ['AMC', 'AAPL', 'CCL', 'AVGO', 'BA'], ['CCL', 'AAPL', 'AMC', 'AVGO', 'BA']],
  ['multiplier', ['CCL', 'AAPL', 'AMC', 'AVGO', 'BA'], ['AMC', 'AAPL', 'CCL', 'AVGO', 'BA']],
  ['age', ['AMC', 'CCL', 'AAPL', 'AVGO', 'BA'], ['AAPL', 'CCL', 'AMC', 'AVGO', 'BA']],
  ['served', ['AMC', 'CCL', 'AAPL', 'AVGO', 'BA'], ['AAPL', 'AVGO', 'AMC', 'CCL', 'BA']],
])(
  'sorted by %s, feeds without a value come last in both directions, and equal ones are in order of their symbols',
  (key, up, down) => {
    expect(arranged(`?sort=${key}`)).toEqual(up)
    expect(arranged(`?sort=-${key}`)).toEqual(down)
  },
)

test.each([
  ['?search=a', ['AAPL', 'AMC', 'AVGO', 'BA']],
  ['?search=%20bA%20', ['BA']],
  ['?search=nope', []],
  ['?search=enter', ['AMC']],
  // The name of BA has it, but no word begins with it.
  ['?search=oeing', []],
  ['?search=BOEING', ['BA']],
  ['?search=stale', ['AAPL']],
  ['?search=market%20closed', ['CCL']],
  ['?search=closed', ['CCL']],
  ['?search=ok', ['AMC']],
  ['?search=unread', ['BA']],
  // OK begins with it, and no symbol has it.
  ['?search=o', ['AVGO']],
  ['?show=served', ['AMC', 'CCL']],
  ['?show=not-served', ['AAPL', 'AVGO']],
  ['?show=Market+closed', ['CCL']],
  ['?show=Unreadable', ['BA']],
  ['?show=OK&search=a', ['AMC']],
  ['?show=Straddle', []],
  [`?search=${feeds[2]?.feed.toUpperCase()}`, ['AVGO']],
  [`?search=${feeds[3]?.token.slice(20, 26)}`, ['BA']],
  ['?search=0x', ['AAPL', 'AMC', 'AVGO', 'BA', 'CCL']],
  [`?search=${feeds[3]?.token.slice(20, 23)}`, []],
])('%s shows %j', (query, symbols) => {
  expect(arranged(query)).toEqual(symbols)
})

test.each([
  ['AAPL', 1, 'AMC'],
  ['CCL', 1, 'AAPL'],
  ['AMC', -1, 'AAPL'],
  ['AAPL', -1, 'CCL'],
  ['NOPE', 1, 'AAPL'],
  ['NOPE', -1, 'CCL'],
] as const)('from %s a step of %i leads to %s', (symbol, step, next) => {
  expect(findNext(feeds, symbol, step)).toBe(next)
})

test('in an empty list no step leads anywhere', () => {
  expect(findNext([], 'AAPL', 1)).toBeUndefined()
})
