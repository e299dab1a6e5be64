import { robinhood } from 'viem/chains'
import { parseExactly, type ShownList } from '../../board/exact-json.ts'
import { toPriceList } from '../../lambda/feeds/price-list.ts'
import type { Detail } from '../../lambda/feeds/price-record.ts'
import { feedsOf } from '../../lambda/feeds/registry.ts'

const head = { chain: robinhood, block: 79_242_031, readAt: new Date('2026-10-03T22:30:00.789Z') }

const none: Detail = { status: 'No data', answer: 0n, observedAt: 0, sharePrice: 0n, multiplier: 0n }

/** What each of the first feeds says; `'unreadable'` says nothing, and the others are left out. */
export type Said = 'unreadable' | 'no data' | (Partial<Detail> & { readonly served?: boolean })

/** Writes the list as the API would answer it, of feeds that say these things, in the registry's order. */
export function toListText(...said: readonly Said[]): string {
  const listed = feedsOf('mainnet')
    .slice(0, said.length)
    .map((feed, index) => ({
      feed,
      url: `https://api.example/v1/price/${feed.symbol}`,
      reading: toReading(said[index]),
    }))
  return JSON.stringify(toPriceList(head, listed))
}

/** Gives the list as the board reads it. */
export function toShownList(...said: readonly Said[]): ShownList {
  return parseExactly(toListText(...said)) as ShownList
}

function toReading(said: Said | undefined) {
  if (said === 'unreadable' || said === undefined) return { unreadable: 'no contract is at its address' }
  if (said === 'no data') return { detail: none, round: { reverts: 'FeedUnavailable' } }
  const { served = true, ...changed } = said
  const detail: Detail = {
    status: 'OK',
    answer: 1_00000000n,
    observedAt: 1_790_984_206,
    sharePrice: 1_00000000n,
    multiplier: 10n ** 18n,
    ...changed,
  }
  return { detail, round: served ? { answer: detail.answer } : { reverts: 'FeedUnavailable' } }
}
