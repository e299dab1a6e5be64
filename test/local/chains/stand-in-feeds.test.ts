import { expect, test } from 'vitest'
import { feedStatuses } from '../../../api/statuses.ts'
import registry from '../../../lambda/feeds/registry.json' with { type: 'json' }
import { moveFeeds } from '../../../local/chains/movement.ts'
import type { StandInFeed } from '../../../local/chains/stand-in-feed.ts'
import { toStandInFeeds } from '../../../local/chains/stand-in-feeds.ts'

const startedAt = 1_795_000_000
const unit = 10n ** 18n
const mainnet = toStandInFeeds('mainnet', registry.mainnet, startedAt)
const testnet = toStandInFeeds('testnet', registry.testnet, startedAt)

test('each network has every status that its tokens can have (D31)', () => {
  expect(new Set(mainnet.map(({ status }) => status))).toEqual(new Set(feedStatuses))
  expect(testnet.map(({ status }) => status)).not.toContain('Oracle paused')
})

const isTotalReturn = ({ symbol }: StandInFeed) => symbol === 'AAPL'

/** What is true of a real feed that returns a status (`api/statuses.ts`), while the market is closed. */
function hasRealStatus(feed: StandInFeed, now: number, close: number): boolean {
  const { status, observedAt, maxAgeSeconds } = feed
  const isOlder = now - observedAt > maxAgeSeconds
  const isOfTheClose = observedAt >= close - maxAgeSeconds
  return {
    OK: !isOlder,
    'Market closed': isOlder && isOfTheClose,
    Stale: isOlder && !isOfTheClose,
    'Oracle paused': true,
    Straddle: !isTotalReturn(feed),
    'Corporate action': !isTotalReturn(feed),
    'No data': true,
  }[status]
}

/**
 * Whether a real feed can return these values. Without data it returns zeros, and so does the contract of the
 * stand-ins.
 */
function hasRealValues(feed: StandInFeed, now: number): boolean {
  const { status, answer, sharePrice, multiplier, observedAt } = feed
  if (status === 'No data') return true
  const isProduct = isTotalReturn(feed)
    ? sharePrice === (answer * unit) / multiplier
    : answer === (sharePrice * multiplier) / unit
  return isProduct && sharePrice > 0n && observedAt > 0 && observedAt <= now
}

test('while the market is closed, every stand-in and its movement is in a state that a real feed can have', () => {
  // A closure of the market lasts from 48 to 75 hours.
  const close = startedAt - 26 * 3_600
  const findImpossible = (feeds: readonly StandInFeed[], now: number) =>
    feeds.filter(feed => !hasRealStatus(feed, now, close) || !hasRealValues(feed, now))
  expect(findImpossible(mainnet, startedAt)).toEqual([])
  expect(findImpossible(testnet, startedAt)).toEqual([])
  for (let seconds = 0; seconds < 120; seconds += 5) {
    const now = startedAt + seconds
    expect(findImpossible(moveFeeds(mainnet, true, now, seconds), now)).toEqual([])
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
