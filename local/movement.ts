import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPublicClient, http } from 'viem'
import type { Chain } from './chains.ts'
import { onChainStatuses, type StandInFeed, setStandInFeeds } from './stand-in-feed.ts'

/** The feed that goes through all statuses, if it is registered and `OK`. */
export const cyclingSymbol = 'SHOP'

/** How long that takes. */
const cycleSeconds = 120

const intervalMs = 5_000

/**
 * Gives the feeds of a local chain that are `OK` a new observation every 5 seconds, all in one block.
 *
 * A day of it adds 200 to 300 MB to the memory of anvil, measured over half an hour.
 *
 * @param cycling the feed that goes through all statuses
 * @returns a function that ends the movement and waits for its last block
 */
export function startMovement({ rpcUrl, feeds }: Chain, cycling: string | undefined): () => Promise<void> {
  const stopped = new AbortController()
  const client = createPublicClient({ transport: http(rpcUrl) })
  const moveAt = createMovement(feeds, cycling)
  const startedAtMs = performance.now()

  async function move(): Promise<void> {
    const { timestamp } = await client.getBlock()
    await setStandInFeeds(rpcUrl, moveAt(Number(timestamp), (performance.now() - startedAtMs) / 1_000))
  }

  async function moveUntilStopped({ signal }: AbortController): Promise<void> {
    const pause = () => sleep(intervalMs, undefined, { signal }).catch(() => {})
    for (await pause(); !signal.aborted; await pause()) {
      // The service itself reports a chain that does not answer.
      await move().catch(() => {})
    }
  }

  const ended = moveUntilStopped(stopped)
  return () => {
    stopped.abort()
    return ended
  }
}

/**
 * Creates the sequence of the states of all moving feeds. The same feeds have the same sequence.
 *
 * @returns a function from the time of the observation (Unix seconds) and the age of the movement to the next states
 */
export function createMovement(
  feeds: readonly StandInFeed[],
  cycling: string | undefined,
): (observedAt: number, elapsedSeconds: number) => StandInFeed[] {
  const walks = feeds.filter(({ status }) => status === 'OK').map(feed => ({ feed, walk: walkFrom(feed) }))
  return (observedAt, elapsedSeconds) =>
    walks.map(({ feed, walk }) => {
      const moved = { ...walk.next().value, observedAt }
      if (feed.address !== cycling) return moved
      const status = toCycleStatus(elapsedSeconds)
      return status === 'OK' ? moved : { ...feed, status, observedAt: findObservedAt(feeds, status) ?? observedAt }
    })
}

/** Finds the feed that goes through all statuses among those that are `OK`: the preferred one, else the first. */
export function findCycling(feeds: readonly StandInFeed[], preferred: string | undefined): string | undefined {
  const moving = feeds.filter(({ status }) => status === 'OK')
  return (moving.find(({ address }) => address === preferred) ?? moving[0])?.address
}

/** Returns the status of the cycling feed: each for the same time, in the order of their numbers. */
function toCycleStatus(elapsedSeconds: number): StandInFeed['status'] {
  const part = (elapsedSeconds % cycleSeconds) / cycleSeconds
  return onChainStatuses[Math.floor(part * onChainStatuses.length)] ?? 'OK'
}

/** Finds when a feed with a status was observed. */
function findObservedAt(feeds: readonly StandInFeed[], status: StandInFeed['status']): number | undefined {
  return feeds.find(feed => feed.status === status)?.observedAt
}

const maxBasisPoints = 500n

/** Walks the price of a feed in steps of up to 10 basis points, within 5 % of its start. The feed's address is the seed. */
function* walkFrom(feed: StandInFeed): Generator<StandInFeed, never> {
  const { address, multiplier } = feed
  const toProduct = (sharePrice: bigint) => (sharePrice * multiplier) / 10n ** 18n
  // For a total-return price, the answer can be one unit above the product.
  const above = feed.answer - toProduct(feed.sharePrice)
  let basisPoints = 0n
  for (let step = 0; ; step++) {
    const [byte = 0] = createHash('sha256').update(`${address} ${step}`).digest()
    const next = basisPoints + BigInt((byte % 21) - 10)
    if (next >= -maxBasisPoints && next <= maxBasisPoints) basisPoints = next
    const sharePrice = feed.sharePrice + (feed.sharePrice * basisPoints) / 10_000n
    yield { ...feed, sharePrice, answer: toProduct(sharePrice) + above }
  }
}
