import { expect, test } from 'vitest'
import { formatCsv, formatTsv, toHeaderRows, toRows } from '../../../pages/board/table-text.ts'
import { toShownList } from '../../support/board/real-list.ts'

const list = toShownList({ answer: 271_84930217n, multiplier: 1_000566080061092436n }, 'unreadable', 'no data')
const names = { AAPL: 'Apple', AMC: 'AMC, "Entertainment"' }
const rows = [...toHeaderRows(list), ...toRows(list.feeds, names)]
const [aapl, amc, avgo] = list.feeds.map(({ feed, token }) => ({ feed, token }))

test('a table has every digit, empty cells for what is not there, and above it what it was read at', () => {
  expect(formatTsv(rows).split('\n')).toEqual([
    'network\tRobinhood Chain\tblock\t79242031\treadAt\t2026-10-03T22:30:00.789Z',
    'symbol\tname\tstatus\tservesLatestRoundData\tlatestRoundDataReverts\tprice\tsharePrice\tmultiplier\t' +
      'observedAtIso\tageSeconds\tfeed\ttoken',
    'AAPL\tApple\tOK\ttrue\t\t271.84930217\t1\t1.000566080061092436\t2026-10-02T23:36:46.000Z\t82394\t' +
      `${aapl?.feed}\t${aapl?.token}`,
    `AMC\tAMC, "Entertainment"\tUnreadable\t\t\t\t\t\t\t\t${amc?.feed}\t${amc?.token}`,
    `AVGO\t\tNo data\tfalse\tFeedUnavailable\t\t\t\t\t\t${avgo?.feed}\t${avgo?.token}`,
  ])
})

test('as CSV, a comma and a quote are quoted, and every line ends with CR and LF (RFC 4180)', () => {
  const [first, , , quoted, , last] = formatCsv(rows).split('\r\n')
  expect(first).toBe('network,Robinhood Chain,block,79242031,readAt,2026-10-03T22:30:00.789Z')
  expect(quoted).toBe(`AMC,"AMC, ""Entertainment""",Unreadable,,,,,,,,${amc?.feed},${amc?.token}`)
  expect(last).toBe('')
})
