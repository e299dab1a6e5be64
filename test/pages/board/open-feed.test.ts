import { expect, test } from 'vitest'
import { ofEachNetwork } from '../../../api/networks.ts'
import type { Failed, Loaded } from '../../../pages/board/latest.ts'
import { findOpenFeed, type OpenFeed } from '../../../pages/board/open-feed.ts'
import type { ShownList, ShownRecord } from '../../../pages/board/price-response.ts'
import { parseView } from '../../../pages/board/view.ts'
import { toShownList } from '../../support/board/real-list.ts'

const times = { readAtMs: 1_790_984_206_000, waitMs: 10_000, localChains: new Map() }
const list: Loaded<ShownList> = { value: toShownList({}, 'unreadable'), ...times }
const [aapl, amc] = list.value.feeds
const failed: Failed = {
  title: 'Failed',
  detail: 'It failed.',
  waitMs: 10_000,
  isThrottled: false,
  failedAtMs: times.readAtMs,
  isPermanent: false,
}

/** TSLA is on the testnet only. */
const feedNames = {
  ...ofEachNetwork(() => ({})),
  mainnet: { AAPL: 'Apple', AMC: '' },
  testnet: { AAPL: '', labTSLA: 'Tesla' },
}

const open = (query: string, known: Loaded<ShownList> | undefined = list, record = {}) =>
  findOpenFeed(parseView(query), known, record, feedNames)

/** What is known before the list and the record are loaded. */
const early: OpenFeed = {
  path: 'price/NOPE?network=testnet',
  heading: 'Feed',
  name: '',
  known: undefined,
  readAtMs: undefined,
  isUnknown: false,
  elsewhere: [],
  similar: [],
}
const openEarly = (record = {}) => findOpenFeed(parseView('?feed=NOPE&network=testnet'), undefined, record, feedNames)

test('a view without a feed, or of a network that does not exist, has no open feed', () => {
  expect(open('')).toBeUndefined()
  expect(open('?feed=AAPL&network=moon')).toBeUndefined()
})

test.each([
  ['AAPL', aapl, 'Apple'],
  ['aapl', aapl, 'Apple'],
  ['aMc', amc, ''],
])('%s is found in the list in lower and upper case', (symbol, entry, name) => {
  expect(open(`?feed=${symbol}`)).toEqual({
    path: `price/${symbol}`,
    heading: entry?.symbol,
    name,
    known: entry,
    readAtMs: list.readAtMs,
    isUnknown: false,
    elsewhere: name === '' ? [] : [['testnet', 'AAPL']],
    similar: [],
  })
})

test('a loaded record replaces the entry of the list', () => {
  const value = { ...aapl, price: '2' } as ShownRecord
  const loaded: Loaded<ShownRecord> = { value, ...times, readAtMs: list.readAtMs + 5_000 }
  expect(open('?feed=AAPL', list, { loaded })).toMatchObject({ known: value, readAtMs: loaded.readAtMs })
})

test('before the list is loaded, a symbol can exist, except after a permanent failure', () => {
  expect(openEarly()).toEqual(early)
  expect(openEarly({ failed })).toEqual(early)
  const unknown = { ...early, heading: 'Unknown symbol', isUnknown: true }
  expect(openEarly({ failed: { ...failed, isPermanent: true } })).toEqual(unknown)
})

test('a permanent failure does not make a listed feed unknown', () => {
  expect(open('?feed=AMC', list, { failed: { ...failed, isPermanent: true } })?.isUnknown).toBe(false)
})

test.each(['?feed=NOPE', '?feed=A', '?feed=AAPL2'])('%s is unknown when the list is loaded', query => {
  expect(open(query)?.isUnknown).toBe(true)
})

test.each(['..', '.', '../..', 'A/B', 'A?B', 'A B', '%', '<b>', 'x'.repeat(21), `${'x'.repeat(39)}🂡`])(
  '%s cannot be a symbol, so it is unknown before the list is loaded',
  symbol => {
    expect(findOpenFeed(parseView(`?feed=${encodeURIComponent(symbol)}`), undefined, {}, feedNames)?.isUnknown).toBe(
      true,
    )
  },
)

test.each([
  ['before the list is loaded', undefined, '?feed=aapl', { heading: 'AAPL', name: 'Apple', isUnknown: false }],
  ['that only another network has', list, '?feed=LABtsla', { heading: 'labTSLA', name: '', isUnknown: true }],
  ['that no network has', list, '?feed=NOPE', { heading: 'Unknown symbol', name: '', isUnknown: true }],
])('the heading is the registered symbol, never the text of the URL: of a feed %s', (_, loaded, query, expected) => {
  expect(open(query, loaded)).toMatchObject(expected)
})

test('a feed is found on the other networks in lower and upper case, and in their spelling', () => {
  expect(open('?feed=aapl&network=testnet', undefined)?.elsewhere).toEqual([['mainnet', 'AAPL']])
  expect(open('?feed=LABtsla')?.elsewhere).toEqual([['testnet', 'labTSLA']])
  expect(open('?feed=NOPE&network=testnet')?.elsewhere).toEqual([])
  expect(open('?feed=AMC')?.elsewhere).toEqual([])
})

test.each([
  ['?feed=ApPL', ['AAPL']],
  // Another network has it.
  ['?feed=labtsla', []],
  // It is known.
  ['?feed=AMC', []],
])('the similar symbols of %s are %j', (query, similar) => {
  expect(open(query)?.similar).toEqual(similar)
})
