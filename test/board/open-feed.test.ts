import { expect, test } from 'vitest'
import { toOpenFeed } from '../../board/open-feed.ts'
import { parseViewState } from '../../board/view-state.ts'
import { toShownList } from './real-list.ts'

const list = { value: toShownList({}, 'unreadable'), readAtMs: 1_790_984_206_000, waitMs: 10_000 }
const [aapl, amc] = list.value.feeds

const open = (query: string, known: typeof list | undefined = list) => toOpenFeed(parseViewState(query), known)

test('where no feed is open, there is none', () => {
  expect(open('')).toBeUndefined()
})

test('a feed is found in the list in whatever case it is written', () => {
  for (const [symbol, entry] of [
    ['AAPL', aapl],
    ['aapl', aapl],
    ['aMc', amc],
  ] as const) {
    expect(open(`?feed=${symbol}`)).toEqual({
      network: 'mainnet',
      entry,
      readAtMs: list.readAtMs,
      isUnknown: false,
      path: `price/${symbol}`,
    })
  }
})

test('before the list is there, a symbol may be one', () => {
  expect(toOpenFeed(parseViewState('?feed=NOPE&network=testnet'), undefined)).toEqual({
    network: 'testnet',
    entry: undefined,
    readAtMs: undefined,
    isUnknown: false,
    path: 'price/NOPE?network=testnet',
  })
})

test.each(['?feed=NOPE', '?feed=A', '?feed=AAPL2'])('%s is unknown once the list is there', query => {
  expect(open(query)?.isUnknown).toBe(true)
})

test.each(['..', '.', '../..', 'A/B', 'A?B', 'A B', '%', '<b>', 'x'.repeat(21), `${'x'.repeat(39)}🂡`])(
  'what can be no symbol is unknown from the beginning: %s',
  symbol => {
    expect(toOpenFeed(parseViewState(`?feed=${encodeURIComponent(symbol)}`), undefined)?.isUnknown).toBe(true)
  },
)
