import { type Feed, feedsOf } from '../../lambda/feeds/registry.ts'
import type { Network } from '../../lambda/networks.ts'
import { onChainStatuses, type StandInFeed, setStandInFeeds } from '../../local/stand-in-feed.ts'
import { toStandInFeeds } from '../../local/stand-in-feeds.ts'
import { writeList } from '../fuzz/expectation.ts'
import { type Round, writeRecord } from '../fuzz/reference.ts'

/** Feeds whose every state is known. */
export interface KnownFeeds {
  /** Changes one feed to the other of its two states. */
  readonly change: () => Promise<void>
  /** Whether a body is a feed's record, or the list, in one of the known states. */
  readonly isCorrect: (body: string, symbol: string | undefined, baseUrl: string) => boolean
}

/** The feed with two states. */
const changing = 'NFLX'

/** Sets the stand-in feeds of a network to known states. */
export async function startKnownFeeds(network: Network, rpcUrl: string): Promise<KnownFeeds> {
  const feeds = feedsOf(network)
  const first = toStandInFeeds(network, feeds.slice(), Math.floor(Date.now() / 1_000))
  const other = first.map(
    (feed, index): StandInFeed =>
      feeds[index]?.symbol === changing ? { ...feed, status: 'OK', answer: feed.answer + 1n } : feed,
  )
  const states = [first, other]
  let changes = 0
  await setStandInFeeds(rpcUrl, first)
  return {
    async change() {
      changes += 1
      const changed = states[changes % 2]?.filter((_, index) => feeds[index]?.symbol === changing) ?? []
      await setStandInFeeds(rpcUrl, changed)
    },
    isCorrect(body, symbol, baseUrl) {
      const { block, readAt }: { block: number; readAt: string } = JSON.parse(body)
      const place = { network, block, readAt: new Date(readAt) }
      return states.some(state => {
        const entries = feeds.map((feed, index) => writeStandIn(feed, state[index], place))
        if (symbol === undefined) return body === writeList({ block, entries }, { ...place, feeds, baseUrl })
        return body === entries[feeds.findIndex(feed => feed.symbol === symbol)]
      })
    },
  }
}

function writeStandIn(feed: Feed, standIn: StandInFeed | undefined, place: Parameters<typeof writeRecord>[3]): string {
  if (standIn === undefined) throw new Error(`There is no stand-in for ${feed.symbol}`)
  const { status, servesWhenClosed, answer, sharePrice, multiplier, observedAt } = standIn
  const serves = status === 'OK' || (status === 'MARKET_CLOSED' && servesWhenClosed)
  const round: Round = serves ? { answer } : { reverts: 'FeedUnavailable' }
  const number = onChainStatuses.indexOf(status)
  return writeRecord(
    feed,
    { status: number, answer, sharePrice, multiplier, observedAt: BigInt(observedAt) },
    round,
    place,
  )
}
