import { expect, test } from 'vitest'
import registry from '../../../lambda/feeds/registry.json' with { type: 'json' }
import { onChainStatuses } from '../../../local/chains/stand-in-feed.ts'
import { findLastClose, toStandInFeeds } from '../../../local/chains/stand-in-feeds.ts'

const startedAt = 1_795_000_000
const one = 10n ** 18n
const mainnet = toStandInFeeds('mainnet', registry.mainnet, startedAt)
const testnet = toStandInFeeds('testnet', registry.testnet, startedAt)
const bySymbol = Object.fromEntries(registry.mainnet.map(({ symbol }, place) => [symbol, mainnet[place]]))

test('the mainnet has every status, and the testnet several', () => {
  expect(new Set(mainnet.map(({ status }) => status))).toEqual(new Set(onChainStatuses))
  expect(new Set(testnet.map(({ status }) => status))).toEqual(
    new Set(['OK', 'ORACLE_PAUSED', 'STRADDLE', 'STALE', 'NO_DATA']),
  )
})

test('CRWD has the price of the real feed on 3 October 2026, observed shortly before the last close', () => {
  expect(bySymbol['CRWD']).toEqual({
    address: '0x84Ad4c99b6AB003b97943E9c48aF73ba20B5Cc77',
    token: '0xea72Ecca2d0f6bFA1394DBBCff85b52CD4233931',
    status: 'MARKET_CLOSED',
    answer: 107_990_000_000n,
    sharePrice: 26_997_500_000n,
    multiplier: 4_000_000_000_000_000_000n,
    observedAt: findLastClose(startedAt) - 34,
    servesWhenClosed: true,
  })
})

test.each([
  // Saturday evening, Monday morning, Monday and Wednesday evening, and the second of a close.
  ['2026-10-03T22:30:00Z', '2026-10-03T01:00:00Z'],
  ['2026-10-05T12:00:00Z', '2026-10-03T01:00:00Z'],
  ['2026-10-06T00:59:59Z', '2026-10-03T01:00:00Z'],
  ['2026-10-07T21:00:00Z', '2026-10-07T01:00:00Z'],
  ['2026-10-08T01:00:00Z', '2026-10-08T01:00:00Z'],
])('at %s the last close was %s', (now, close) => {
  expect(findLastClose(Date.parse(now) / 1_000)).toBe(Date.parse(close) / 1_000)
})

test('an answer is the share price times the multiplier, and for AAPL one unit more', () => {
  const differing = [...mainnet, ...testnet]
    .map(feed => ({ token: feed.token, by: feed.answer - (feed.sharePrice * feed.multiplier) / one }))
    .filter(({ by }) => by !== 0n)
  expect(differing).toEqual([{ token: bySymbol['AAPL']?.token, by: 1n }])
  expect(bySymbol['AAPL']?.multiplier).toBe(1_000_566_080_061_092_436n)
})

test('of the closed feeds, one serves its price and one does not', () => {
  const closed = mainnet.filter(({ status }) => status === 'MARKET_CLOSED')
  expect(closed.map(({ servesWhenClosed }) => servesWhenClosed)).toEqual([true, false])
})

test('no observation is later than the start of the chain', () => {
  expect([...mainnet, ...testnet].filter(({ observedAt }) => observedAt > startedAt)).toEqual([])
})

test('a feed without a described state is OK, at a price that its symbol determines', () => {
  const registered = ['NEW1', 'NEW2'].map(symbol => ({
    symbol,
    address: `0x${'1'.repeat(40)}`,
    token: `0x${'2'.repeat(40)}`,
  }))
  const described = toStandInFeeds('mainnet', registered, startedAt)
  expect(described[0]).toEqual({
    address: '0x1111111111111111111111111111111111111111',
    token: '0x2222222222222222222222222222222222222222',
    status: 'OK',
    answer: described[0]?.sharePrice,
    sharePrice: described[0]?.sharePrice,
    multiplier: one,
    observedAt: startedAt - 5,
    servesWhenClosed: true,
  })
  expect(described[0]?.sharePrice).toBeGreaterThan(0n)
  expect(described[0]?.sharePrice).not.toBe(described[1]?.sharePrice)
  expect(toStandInFeeds('mainnet', registered, startedAt)).toEqual(described)
})
