import { expect, test } from 'vitest'
import { feedStatuses } from '../../../api/statuses.ts'
import registry from '../../../lambda/feeds/registry.json' with { type: 'json' }
import type { StandInFeed } from '../../../local/chains/stand-in-feed.ts'
import { findLastClose, toStandInFeeds } from '../../../local/chains/stand-in-feeds.ts'

const startedAt = 1_795_000_000
const unit = 10n ** 18n
const mainnet = toStandInFeeds('mainnet', registry.mainnet, startedAt)
const testnet = toStandInFeeds('testnet', registry.testnet, startedAt)

test('each network has every status that its tokens can have (D31)', () => {
  expect(new Set(mainnet.map(({ status }) => status))).toEqual(new Set(feedStatuses))
  expect(testnet.map(({ status }) => status)).not.toContain('Oracle paused')
})

/** Whether a real feed returns this status at the age of its price, while the market is closed. */
function isOfItsAge({ status, observedAt, maxAgeSeconds }: StandInFeed, now: number, close: number): boolean {
  const isOlder = now - observedAt > maxAgeSeconds
  const isOfTheClose = observedAt >= close - maxAgeSeconds
  if (status === 'OK') return !isOlder
  if (status === 'Market closed') return isOlder && isOfTheClose
  return status !== 'Stale' || (isOlder && !isOfTheClose)
}

test.each([
  // Saturday evening, Wednesday, and a Sunday until 25 hours after the close and from then on.
  ['2026-10-03T22:30:00Z', '2026-09-26T01:00:00Z'],
  ['2026-10-07T21:00:00Z', '2026-10-03T01:00:00Z'],
  ['2026-10-11T01:59:59Z', '2026-10-03T01:00:00Z'],
  ['2026-10-11T02:00:00Z', '2026-10-10T01:00:00Z'],
])('at %s, after the close of %s, every stand-in has a status that a real feed has at that age', (at, closed) => {
  const now = Date.parse(at) / 1_000
  const close = Date.parse(closed) / 1_000
  expect(findLastClose(now)).toBe(close)
  for (const network of ['mainnet', 'testnet'] as const) {
    const feeds = toStandInFeeds(network, registry[network], now)
    expect(feeds.filter(feed => !isOfItsAge(feed, now, close))).toEqual([])
  }
})

test('a feed without a described state is OK, at a price that its symbol determines', () => {
  const entry = { address: `0x${'1'.repeat(40)}`, token: `0x${'2'.repeat(40)}`, maxAgeSeconds: 60 }
  const registered = ['NEW1', 'NEW2'].map(symbol => ({ symbol, ...entry }))
  const toStates = () => toStandInFeeds('mainnet', registered, startedAt)
  const [first, second] = toStates()
  const sharePrice = first?.sharePrice ?? 0n
  const state = { status: 'OK', answer: sharePrice, sharePrice, multiplier: unit, observedAt: startedAt - 5 }
  expect(first).toEqual({ symbol: 'NEW1', ...entry, ...state })
  expect(sharePrice).toBeGreaterThan(0n)
  expect(second?.sharePrice).not.toBe(sharePrice)
  expect(toStates()).toEqual([first, second])
})
