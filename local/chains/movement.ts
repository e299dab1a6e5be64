import { setTimeout as sleep } from 'node:timers/promises'
import { createPublicClient, http } from 'viem'
import { feedStatuses } from '../../api/statuses.ts'
import type { Chain } from './chains.ts'
import { type StandInFeed, setStandInFeeds } from './stand-in-feed.ts'

/** The time between two observations. */
const intervalMs = 5_000

/** The time in which the cycling feed has had every status once. */
const cycleSeconds = 120

/**
 * Gives the feeds of a local chain that are `OK` a new observation every 5 seconds, all in one block.
 *
 * A day of movement adds some 500 MB to the memory of anvil, as extrapolated from half an hour.
 *
 * @param hasCycle whether the last of these feeds goes through all statuses
 * @returns a function that ends the movement and waits for its last block
 */
export function startMovement({ rpcUrl, feeds }: Chain, hasCycle: boolean): () => Promise<void> {
  const stopped = new AbortController()
  const client = createPublicClient({ transport: http(rpcUrl) })
  const startedAt = performance.now()

  async function move(): Promise<void> {
    const { timestamp } = await client.getBlock()
    const elapsedSeconds = (performance.now() - startedAt) / 1_000
    await setStandInFeeds(rpcUrl, moveFeeds(feeds, hasCycle, Number(timestamp), elapsedSeconds))
  }

  async function moveUntilStopped({ signal }: AbortController): Promise<void> {
    const pause = () => sleep(intervalMs, undefined, { signal }).catch(() => {})
    await pause()
    while (!signal.aborted) {
      // An error is ignored, because the service itself reports a chain that does not answer.
      await move().catch(() => {})
      await pause()
    }
  }

  const ended = moveUntilStopped(stopped)
  return () => {
    stopped.abort()
    return ended
  }
}

/**
 * Returns new states of the feeds that are `OK`. They depend on nothing but the arguments.
 *
 * @param feeds the states at the start
 * @param observedAt the time of the new observations, Unix seconds
 * @param elapsedSeconds the time since the start
 */
export function moveFeeds(
  feeds: readonly StandInFeed[],
  hasCycle: boolean,
  observedAt: number,
  elapsedSeconds: number,
): StandInFeed[] {
  const moving = feeds.filter(({ status }) => status === 'OK')
  return moving.map((feed, index) => {
    const isCycling = hasCycle && index === moving.length - 1
    const status = isCycling ? toCycleStatus(elapsedSeconds) : 'OK'
    if (status === 'OK') return { ...movePrice(feed, elapsedSeconds), observedAt }
    const example = feeds.find(candidate => candidate.status === status)
    return { ...feed, status, observedAt: example?.observedAt ?? observedAt }
  })
}

/** Returns the status of the cycling feed. It has each status for the same time, in the order of their enum values. */
function toCycleStatus(elapsedSeconds: number): StandInFeed['status'] {
  const part = (elapsedSeconds % cycleSeconds) / cycleSeconds
  const status = feedStatuses[Math.floor(part * feedStatuses.length)]
  if (status === undefined) throw new RangeError(`There is no status after ${elapsedSeconds} s.`)
  return status
}

/**
 * Moves a price within 5 % of its start, by at most 10 basis points in 5 seconds, along a wave. Its phase follows from
 * the feed's address, so that the feeds move differently.
 */
function movePrice(feed: StandInFeed, elapsedSeconds: number): StandInFeed {
  const phase = Number(BigInt(feed.address) % 7n)
  const change = 0.025 * (Math.sin(phase + elapsedSeconds / 125) - Math.sin(phase))
  const sharePrice = feed.sharePrice + (feed.sharePrice * BigInt(Math.round(1e6 * change))) / 1_000_000n
  const toProduct = (price: bigint) => (price * feed.multiplier) / 10n ** 18n
  // The answer of a total-return feed may be above the product, because its share price is rounded down.
  const above = feed.answer - toProduct(feed.sharePrice)
  return { ...feed, sharePrice, answer: toProduct(sharePrice) + above }
}
