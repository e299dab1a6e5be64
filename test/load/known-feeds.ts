import { type Feed, feedsOf, type Network } from '../../lambda/feeds/registry.ts'
import { onChainStatuses, type StandInFeed, setStandInFeeds } from '../../local/stand-in-feed.ts'
import { toStandInFeeds } from '../../local/stand-in-feeds.ts'
import { writeList } from '../fuzz/expectation.ts'
import { type Served, writeRecord } from '../fuzz/reference.ts'

/** Feeds of which we know all that they may say, at any time. */
export interface KnownFeeds {
  /** Makes one feed say the other of the two things that it says. */
  readonly flip: () => Promise<void>
  /** Tells whether a body is what the feeds said at one block: the feed's record, or the list of all. */
  readonly isTrue: (body: string, symbol: string | undefined, baseUrl: string) => boolean
}

/** The feed that says now this, now that. */
const fickle = 'NFLX'

/** Makes every stand-in feed of a network say what we know. */
export async function startKnownFeeds(network: Network, rpcUrl: string): Promise<KnownFeeds> {
  const feeds = feedsOf(network)
  const first = toStandInFeeds(network, feeds.slice(), Math.floor(Date.now() / 1_000))
  const other = first.map(
    (feed, index): StandInFeed =>
      feeds[index]?.symbol === fickle ? { ...feed, status: 'OK', answer: feed.answer + 1n } : feed,
  )
  const states = [first, other]
  let flips = 0
  await setStandInFeeds(rpcUrl, first)
  return {
    async flip() {
      flips += 1
      const changed = states[flips % 2]?.filter((_, index) => feeds[index]?.symbol === fickle) ?? []
      await setStandInFeeds(rpcUrl, changed)
    },
    isTrue(body, symbol, baseUrl) {
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
  const served: Served = serves ? { answer } : { reverts: 'FeedUnavailable' }
  const number = onChainStatuses.indexOf(status)
  return writeRecord(
    feed,
    { status: number, answer, sharePrice, multiplier, observedAt: BigInt(observedAt) },
    served,
    place,
  )
}
