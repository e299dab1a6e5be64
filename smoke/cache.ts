import { toPricePath } from './cache-keys.ts'
import { type Check, expectNone, Finding, formatOutcome } from './check.ts'
import { type Client, type Reply, textOf } from './client.ts'
import { freshMs, isRead } from './prices.ts'

/** API Gateway does not guarantee a hit, and an entry can end between two requests. */
const maxTries = 4

/**
 * The time that API Gateway takes at most to create a cache, or to change its size.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-caching.html
 */
const creationMs = 240_000

/** Less than the time to live, so that the second of two requests can be a hit. */
const pollMs = 5_000

/** How long after the time to live an entry of a cache must be gone. */
const marginMs = 1_500

/** What is asked again: a price in a spelling of this run alone, and the list. */
const paths: Readonly<Record<string, (client: Client) => string>> = {
  'GET /price/{symbol}': client => toPricePath(client, 0),
  'GET /price': () => '/price',
}

/** Checks that a price and a list are served from the cache; or, without a cache, from a new read. */
export const toReplayChecks = (hasCache: boolean): readonly Check[] =>
  Object.entries(paths).map(([route, toPath]) => ({
    name: `${route} asked twice is ${hasCache ? 'one read' : 'two reads'}`,
    async run(client) {
      const path = toPath(client)
      const reads = [await client.ask(path), await client.ask(path)]
      const isReplay = () => reads.some((read, index) => isSameRead(read, reads[index + 1]))
      while (hasCache && !isReplay() && reads.length <= maxTries) reads.push(await client.ask(path))
      if (hasCache && !isReplay()) console.log(`No hit of the cache for ${path} yet. Waiting up to 4 minutes for it.`)
      const endMs = (client.replies[0]?.atMs ?? 0) + creationMs
      while (hasCache && !isReplay() && reads.every(isRead) && client.clock.nowMs() < endMs) {
        await client.clock.sleep(pollMs)
        reads.push(await client.ask(path))
      }
      const seen = reads.slice(-maxTries).map(formatRead).join(', then ')
      return expectNone(isReplay() === hasCache && reads.every(isRead) ? [] : [seen], seen)
    },
  }))

/** Checks that no cache has the first price and list any longer. */
export const expiryChecks: readonly Check[] = Object.entries(paths).map(([route, toPath]) => ({
  name: `${route} is read again after 10 s`,
  async run(client) {
    const path = toPath(client)
    const first = client.replies.find(reply => reply.path === path && isRead(reply))
    if (first === undefined) throw new Finding('noted', 'no reply to compare with')
    await client.clock.sleep(Math.max(0, first.atMs + freshMs + marginMs - client.clock.nowMs()))
    const later = await client.ask(path)
    const seen = `${formatRead(first)}, then ${formatRead(later)}`
    return expectNone(isRead(later) && !isSameRead(later, first) ? [] : [seen], seen)
  },
}))

/** Whether two successes are of one read: each read has its own `readAt`. */
function isSameRead(a: Reply, b: Reply | undefined): boolean {
  return a.status === 200 && a.text === b?.text
}

function formatRead(reply: Reply): string {
  return `${formatOutcome(reply)} ${textOf(reply.fields['readAt']).slice(11, 23)}`
}
