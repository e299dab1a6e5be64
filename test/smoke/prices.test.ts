import { expect, test } from 'vitest'
import type { Reply } from '../../smoke/client.ts'
import { askList, checkPrices } from '../../smoke/prices.ts'
import { mainnet } from '../../smoke/record.ts'
import { createClientOf, record, toReply } from '../support/smoke/reply.ts'

const toUrl = (symbol: string) => `https://prices.example/v1/price/${symbol}`
/** A record in a list. */
const toEntry = <Own extends { symbol: string }>(own: Own) => ({ ...own, url: toUrl(own.symbol) })
const amd = { ...record, symbol: 'AMD', multiplier: '1.000566080061092436' }
const baba = { ...record, symbol: 'BABA', multiplier: '1.001902771340338112' }
const problem = { type: 'urn:problem-type:price-lookup:feed-unreadable', title: 'Feed unreadable', status: '502' }
const { feed, token, explorer } = record
const pfe = toEntry({ symbol: 'PFE', feed, token, explorer, problem })
const { network, chainId, block, readAt } = record
const list = { network, chainId, block, readAt, feeds: [toEntry(amd), toEntry(baba), pfe] }
const unreadable = (symbol: string) => toReply(`/price/${symbol}`, problem, {}, 502)
const unavailable = (path: string) => toReply(path, { title: 'Chain unavailable' }, {}, 503)

/** Checks a list, with some replies in place of those that agree with it. Returns the details of the checks that fail. */
async function check(served: object | Reply, others: readonly Reply[] = []) {
  const ofList = 'path' in served ? (served as Reply) : toReply('/price', served)
  const replies = [ofList, ...others, toReply('/price/AMD', amd), toReply('/price/BABA', baba), unreadable('PFE')]
  const client = createClientOf(path => replies.find(reply => reply.path === path) ?? unavailable(path))
  const checks = await checkPrices(client, await askList(client, mainnet), 100)
  return checks.filter(({ outcome }) => outcome === 'failed').map(({ name, detail }) => [name, detail])
}

const lists = 'mainnet: GET /price lists the feeds'
const answer = 'mainnet: feeds answer at their URLs'
const ordered = 'mainnet: records are in order and consistent'
const exact = 'mainnet: numbers are exact'

const isOther = 'AMD is of block "79242033"; BABA is of block "79242033"'
const { feeds, ...head } = list
const elsewhere = { ...explorer, feed: 'x' }
// Their own URLs do not answer.
const rounded = [amd, baba].map(one => ({ ...one, symbol: 'X', multiplier: one.multiplier.slice(0, -2) }))

test.each([
  ['a list that does not come', lists, 'GET /price: 503 Late', toReply('/price', { ...list, title: 'Late' }, {}, 503)],
  ['a list of two blocks', lists, isOther, { ...list, block: '1' }],
  ['a list of two reads', lists, isOther, { ...list, readAt: '2026-11-20T19:26:07.107Z' }],
  ['a list of another chain', lists, 'is of chain 46630', { ...list, chainId: '46630' }],
  ['a list of another network', lists, 'is of chain 4663', { ...list, network: 'Robinhood' }],
  ['a list with feeds first', lists, 'its fields are feeds network chainId block readAt', { feeds, ...head }],
  ['a list out of order', lists, 'is not in order: baba, amd', { ...list, feeds: [baba, amd].map(toEntry) }],
  ['a list with a feed twice', lists, 'is not in order: amd, amd', { ...list, feeds: [amd, amd].map(toEntry) }],
  ['another URL', lists, `AMD is at "${toUrl('amd')}"`, { ...list, feeds: [{ ...amd, url: toUrl('amd') }] }],
  ['another status', ordered, 'AMD: status is "Closed"', { ...list, feeds: [{ ...amd, status: 'Closed' }] }],
  ['another link', ordered, 'PFE: explorer.feed is "x"', { ...list, feeds: [{ ...pfe, explorer: elsewhere }] }],
  ['a rounded price', exact, /^AMD: price is "1080", answerRaw /, { ...list, feeds: [{ ...amd, price: '1080' }] }],
  ['rounded multipliers', exact, /digits of doubles/, { ...list, feeds: rounded }],
])('%s fails', async (_, name, detail, served) => {
  const expected = typeof detail === 'string' ? detail : expect.stringMatching(detail)
  expect(await check(served)).toContainEqual([name, expected])
})

test.each([
  ['symbol', true],
  ['feed', true],
  ['token', true],
  ['answerRaw', false],
  ['sharePrice', false],
  ['multiplier', false],
  ['observedAt', false],
])('another %s than in the list fails, also at another block: %s', async (name, isFixed) => {
  const mismatch = [answer, `AMD: ${name} is "1", unlike in the list`]
  const other = { ...amd, [name]: '1' }
  expect(await check(list, [toReply('/price/AMD', other)])).toContainEqual(mismatch)
  const later = await check(list, [toReply('/price/AMD', { ...other, block: '79242034' })])
  expect(later.filter(([failed]) => failed === answer)).toEqual(isFixed ? [mismatch] : [])
})

test('one feed that does not answer fails, also with the problem of a feed that is readable in the list', async () => {
  const detail = 'GET /price/AMD: 502 Feed unreadable; GET /price/PFE: 503 Chain unavailable'
  const replies = [unreadable('AMD'), unavailable('/price/PFE')]
  expect(await check(list, replies)).toEqual([[answer, detail]])
})
