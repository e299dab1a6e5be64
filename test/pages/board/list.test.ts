import { expect, test } from 'vitest'
import type { Entry } from '../../../pages/board/data/responses.ts'
import { formatTable } from '../../../pages/board/list/copied-table.ts'
import { search, sort } from '../../../pages/board/list/search.ts'
import { formatView, parseView } from '../../../pages/board/view.ts'
import { toExactList } from '../../support/board/real-list.ts'

// AAPL, AMC, AVGO, BA, CCL
const list = toExactList(
  { answer: 3_00000001n, served: false, status: 'Stale', observedAt: 1_790_000_000 },
  { answer: 1_00000000n },
  'no data',
  'unreadable',
  { answer: 2_00000000n, status: 'Market closed' },
)

test.each([
  ['aa', ['AAPL']],
  ['entertain', ['AMC']],
  ['stale', ['AAPL']],
  ['closed', ['CCL']],
  ['unreadable', ['BA']],
  [list.feeds[1]?.token.slice(0, 12).toUpperCase() ?? '', ['AMC']],
  ['  boeing ', ['BA']],
  ['zzz', []],
])('the search for %j finds %j', (text, symbols) => {
  expect(search(list.feeds, text).map(({ symbol }) => symbol)).toEqual(symbols)
})

test.each([
  ['', 'AAPL AMC AVGO BA CCL'],
  ['-symbol', 'CCL BA AVGO AMC AAPL'],
  ['served', 'AMC CCL AAPL AVGO BA'],
  ['price', 'AMC CCL AAPL AVGO BA'],
  ['-price', 'AAPL CCL AMC AVGO BA'],
  ['age', 'AMC CCL AAPL AVGO BA'],
  ['-age', 'AAPL AMC CCL AVGO BA'],
])('the order %j is %s', (order, symbols) => {
  expect(sort(list.feeds, parseView(`?sort=${order}`)).map(({ symbol }) => symbol)).toEqual(symbols.split(' '))
})

test('the table is copied with every digit, below the names of its columns', () => {
  const read = 'Robinhood Chain\t79242031\t2026-10-03T22:30:00.789Z'
  expect(formatTable(list, list.feeds.slice(0, 4), false).text.split('\n')).toEqual([
    'symbol\tname\tstatus\tserved\tprice\tsharePrice\tmultiplier\tobservedAtIso\tnetwork\tblock\treadAt',
    `AAPL\tApple\tStale\tfalse\t3.00000001\t1\t1\t2026-09-21T14:13:20.000Z\t${read}`,
    `AMC\tAMC Entertainment\tOK\ttrue\t1\t1\t1\t2026-10-02T23:36:46.000Z\t${read}`,
    `AVGO\tBroadcom\tNo data\tfalse\t\t\t\t\t${read}`,
    `BA\tBoeing\tUnreadable\t\t\t\t\t\t${read}`,
  ])
})

test('as HTML, the copied numbers are numbers in a spreadsheet of any language, and texts are escaped', () => {
  const [entry] = list.feeds as [Entry]
  const { html } = formatTable(list, [{ ...entry, name: 'A & <b>' }, ...list.feeds.slice(2, 3)], false)
  expect(html).toMatch(/^<table xmlns:x="urn:schemas-microsoft-com:office:excel">.*<\/table>$/)
  const number = (text: string) => `<td x:num="${text}">${text}</td>`
  const read = ['Robinhood Chain', '79242031', '2026-10-03T22:30:00.789Z'].map(text => `<td>${text}</td>`).join('')
  expect(html.match(/<tr>.*?<\/tr>/g)?.slice(1)).toEqual([
    '<tr><td>AAPL</td><td>A &amp; &lt;b></td><td>Stale</td><td>false</td>' +
      `${number('3.00000001')}${number('1')}${number('1')}<td>2026-09-21T14:13:20.000Z</td>${read}</tr>`,
    `<tr><td>AVGO</td><td>Broadcom</td><td>No data</td><td>false</td><td></td><td></td><td></td><td></td>${read}</tr>`,
  ])
})

test('on a local run, a last column of the copied table states that the values are invented', () => {
  const rows = formatTable(list, list.feeds.slice(0, 1), true).text.split('\n')
  expect(rows.map(row => row.split('\t').at(-1))).toEqual(['values', 'invented'])
})

test.each(['', '?network=testnet&search=apple+inc&show=not-served&sort=-age&feed=AAPL'])(
  'the URL of the view %j opens that view',
  query => {
    expect(formatView(parseView(query))).toBe(query)
  },
)

test.each([
  ['?show=Stale&sort=volume', ''],
  ['?network=&feed=', ''],
])('of the query %s, the page keeps %s', (query, kept) => {
  expect(formatView(parseView(query))).toBe(kept)
})
