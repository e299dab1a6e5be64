import { type Address, getAddress } from 'viem'
import { networkFacts } from '../../../api/networks.ts'
import { toPriceList } from '../../../lambda/feeds/price-list.ts'
import type { Detail } from '../../../lambda/feeds/reading.ts'
import type { Feed } from '../../../lambda/feeds/registry.ts'
import { isListOf, parseExactly, type ShownList } from '../../../pages/board/data/responses.ts'

const readBlock = { chain: networkFacts.mainnet.chain, block: 79_242_031, readAt: new Date('2026-10-03T22:30:00.789Z') }

const none: Detail = { status: 'No data', answer: 0n, observedAt: 0, sharePrice: 0n, multiplier: 0n }

/** What a feed returns. */
export type Reading =
  | 'unreadable'
  | 'no data'
  | (Partial<Detail> & { readonly served?: boolean | 'another answer'; readonly reverts?: string })

const names = { AAPL: 'Apple', AMC: 'AMC Entertainment', AVGO: 'Broadcom', BA: 'Boeing', CCL: 'Carnival' }
const feeds = Object.entries(names).map(([symbol, name], index): Feed => {
  const [address, token] = ['a', 'b'].map(digit => getAddress(`0x${index}${digit.repeat(39)}`)) as [Address, Address]
  return { symbol, name, address, token, maxAgeSeconds: 86_400 }
})

/** Formats the API's list of these feeds, as far as there are readings, which they return. */
export function toListText(...readings: readonly Reading[]): string {
  const listed = readings.map((reading, index) => {
    const feed = feeds[index]
    if (feed === undefined) throw new Error('There are more readings than feeds')
    return { feed, ...toFeedReading(reading) }
  })
  return JSON.stringify(toPriceList(readBlock, listed, ({ symbol }) => `https://api.example/v1/price/${symbol}`))
}

/** Returns the same list, parsed by the board. */
export function toShownList(...readings: readonly Reading[]): ShownList {
  const list = parseExactly(toListText(...readings))
  if (!isListOf('mainnet', list)) throw new Error('The board refuses the list')
  return list
}

function toFeedReading(reading: Reading) {
  if (reading === 'unreadable') return { hasCode: false, unreadable: 'no contract is at its address' }
  if (reading === 'no data') return { detail: none, roundData: { reverts: 'FeedUnavailable' } }
  const { served = true, reverts = 'FeedUnavailable', ...changed } = reading
  const detail: Detail = {
    status: 'OK',
    answer: 1_00000000n,
    observedAt: 1_790_984_206,
    sharePrice: 1_00000000n,
    multiplier: 10n ** 18n,
    ...changed,
  }
  if (served === 'another answer') return { detail, roundData: { answer: detail.answer + 1n } }
  return { detail, roundData: served ? { answer: detail.answer } : { reverts } }
}
