import { expect, test } from 'vitest'
import type { Reply } from '../../smoke/client.ts'
import { askList, checkPrices } from '../../smoke/prices.ts'
import { mainnet } from '../../smoke/record.ts'
import { createClientOf, record, toReply } from '../support/smoke/reply.ts'

const toUrl = (symbol: string) => `https://prices.example/v1/price/${symbol}`
const toEntry = (symbol: string, multiplier: string) => ({ ...record, symbol, multiplier, url: toUrl(symbol) })
const amd = toEntry('AMD', '1.000566080061092436')
const baba = toEntry('BABA', '1.001902771340338112')
const problem = { type: 'urn:problem-type:price-lookup:feed-unreadable', title: 'Feed unreadable', status: '502' }
const { feed, token, explorer } = record
const pfe = { symbol: 'PFE', feed, token, explorer, url: toUrl('PFE'), problem }
const { network, chainId, block, readAt } = record
const list = { network, chainId, block, readAt, feeds: [amd, baba, pfe] }
const unavailable = (path: string) => toReply(path, { title: 'Chain unavailable' }, {}, 503)

/** Checks a list, with some replies in place of those that agree with it. */
async function check(served: object | Reply, others: readonly Reply[] = [], maxFeeds = 100) {
  const toOwn = ({ url: _, ...entry }: typeof amd | typeof pfe) =>
    'problem' in entry ? toReply(`/price/${entry.symbol}`, problem, {}, 502) : toReply(`/price/${entry.symbol}`, entry)
  const replies = [
    'path' in served ? served : toReply('/price', served),
    ...others,
    ...[amd, baba, pfe].map(toOwn),
  ] as Reply[]
  const client = createClientOf(path => replies.find(reply => reply.path === path) ?? unavailable(path))
  const checks = await checkPrices(client, await askList(client, mainnet), maxFeeds)
  return { checks, paths: client.replies.map(({ path }) => path) }
}

const lists = 'mainnet: GET /price lists the feeds'
const answer = 'mainnet: feeds answer at their URLs'
const ordered = 'mainnet: records are in order and consistent'
const exact = 'mainnet: numbers are exact'

test('a list and the records of its feeds pass, and so does a feed that is unreadable in both', async () => {
  const { checks, paths } = await check(list)
  expect(checks).toEqual([
    { name: lists, outcome: 'passed', detail: '3 feeds, block 79242033' },
    { name: answer, outcome: 'passed', detail: '2 × 200, 1 × 502 Feed unreadable' },
    { name: ordered, outcome: 'passed', detail: '4 records' },
    { name: exact, outcome: 'passed', detail: '4 records' },
  ])
  expect(paths).toEqual(['/price', '/price/AMD', '/price/BABA', '/price/PFE'])
})

test('no more feeds than allowed are asked for', async () => {
  expect((await check(list, [], 1)).paths).toEqual(['/price', '/price/AMD'])
})

const isOther = 'AMD is of block "79242033"; BABA is of block "79242033"'
const { feeds, ...head } = list
const rounded = [amd, baba].map(one => ({ ...one, multiplier: one.multiplier.slice(0, -2) }))

test.each([
  ['a list that does not come', lists, 'GET /price: 503 Late', toReply('/price', { ...list, title: 'Late' }, {}, 503)],
  ['a list of two blocks', lists, isOther, { ...list, block: '1' }],
  ['a list of two reads', lists, isOther, { ...list, readAt: '2026-11-20T19:26:07.107Z' }],
  ['a list of another chain', lists, 'is of chain 46630', { ...list, chainId: '46630' }],
  ['a list of another network', lists, 'is of chain 4663', { ...list, network: 'Robinhood' }],
  ['a list with feeds first', lists, 'its fields are feeds network chainId block readAt', { feeds, ...head }],
  ['a list out of order', lists, 'is not in order: baba, amd', { ...list, feeds: [baba, amd] }],
  ['a list with a feed twice', lists, 'is not in order: amd, amd', { ...list, feeds: [amd, amd] }],
  ['another URL', lists, `AMD is at "${toUrl('amd')}"`, { ...list, feeds: [{ ...amd, url: toUrl('amd') }] }],
  ['another status', ordered, 'AMD: status is "Closed"', { ...list, feeds: [{ ...amd, status: 'Closed' }] }],
  [
    'another link',
    ordered,
    'PFE: explorer.feed is "x"',
    { ...list, feeds: [{ ...pfe, explorer: { ...explorer, feed: 'x' } }] },
  ],
  ['a rounded price', exact, /^AMD: price is "1080", answerRaw /, { ...list, feeds: [{ ...amd, price: '1080' }] }],
])('%s fails', async (_, name, detail, served) => {
  const { checks } = await check(served)
  const expected = typeof detail === 'string' ? detail : expect.stringMatching(detail)
  expect(checks).toContainEqual({ name, outcome: 'failed', detail: expected })
})

test('rounded multipliers fail', async () => {
  const replies = rounded.map(({ url: _, ...one }) => toReply(`/price/${one.symbol}`, one))
  const { checks } = await check({ ...list, feeds: rounded }, replies)
  expect(checks.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name)).toEqual([exact])
})

const { url: _, ...own } = amd
const later = { ...own, block: '79242034' }

test.each([
  [{ ...later, symbol: 'NFLX' }, 'AMD: symbol is "NFLX", unlike in the list'],
  [{ ...later, feed: '0x01' }, 'AMD: feed is "0x01", unlike in the list'],
  [{ ...later, token: '0x01' }, 'AMD: token is "0x01", unlike in the list'],
  [{ ...own, answerRaw: '1' }, 'AMD: answerRaw is "1", unlike in the list'],
  [{ ...own, sharePrice: '1' }, 'AMD: sharePrice is "1", unlike in the list'],
  [{ ...own, multiplier: '1' }, 'AMD: multiplier is "1", unlike in the list'],
  [{ ...own, observedAt: '1' }, 'AMD: observedAt is "1", unlike in the list'],
])('case %#: a record unlike its entry in the list fails', async (other, detail) => {
  const { checks } = await check(list, [toReply('/price/AMD', other)])
  expect(checks).toContainEqual({ name: answer, outcome: 'failed', detail })
})

test('a record of another block may have other values', async () => {
  const values = { answerRaw: '100000000', price: '1', sharePrice: '1', multiplier: '1' }
  const { checks } = await check(list, [toReply('/price/AMD', { ...later, ...values })])
  expect(checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
})

test('one feed that does not answer fails, also with the problem of a feed that is readable in the list', async () => {
  const { checks } = await check(list, [toReply('/price/AMD', problem, {}, 502), unavailable('/price/PFE')])
  const detail = 'GET /price/AMD: 502 Feed unreadable; GET /price/PFE: 503 Chain unavailable'
  expect(checks).toContainEqual({ name: answer, outcome: 'failed', detail })
})
