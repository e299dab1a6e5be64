import { type Check, formatOutcome, toCheck, toNote } from './check.ts'
import type { Client, Reply } from './client.ts'
import { isRead } from './http.ts'

/** API Gateway does not guarantee a hit, and an entry can end between two requests. */
const maxTries = 4

/**
 * Checks that a path is served from the cache; or, without a cache, from a new read.
 *
 * @param first the latest reply of that path, a success
 */
export async function checkReplay(client: Client, first: Reply, hasCache: boolean): Promise<Check> {
  const reads = [first]
  let isReplay = false
  do {
    const next = await client.ask(first.path)
    isReplay = isSameRead(next, reads.at(-1))
    reads.push(next)
  } while (hasCache && !isReplay && reads.length <= maxTries)
  const seen = reads.map(formatRead).join(', then ')
  const name = `${toRoute(first)} asked twice is ${hasCache ? 'one read' : 'two reads'}`
  return toCheck(name, isReplay === hasCache && reads.every(isRead) ? [] : [seen], seen)
}

/** Checks that a reply, which is too old by now, is not repeated. */
export async function checkFresh(client: Client, first: Reply): Promise<Check> {
  const later = await client.ask(first.path)
  const seen = `${formatRead(first)}, then ${formatRead(later)}`
  const isNew = isRead(later) && !isSameRead(later, first)
  return toCheck(`${toRoute(first)} is read again after 10 s`, isNew ? [] : [seen], seen)
}

function toRoute({ path }: Reply): string {
  return path.startsWith('/price/') ? 'GET /price/{symbol}' : 'GET /price'
}

/** Whether two successes are of one read: each read has its own `readAt`. */
function isSameRead(one: Reply, other: Reply | undefined): boolean {
  return one.status === 200 && one.text === other?.text
}

function formatRead(reply: Reply): string {
  return `${formatOutcome(reply)} ${String(reply.fields['readAt'] ?? '').slice(11, 23)}`
}

/**
 * Observes what AWS decides and what harms no caller: the age of a hit, and a caller that asks for a new read.
 *
 * The questions are in docs/deploy.md, "What the first stage settles".
 */
export async function observeCache(client: Client, path: string): Promise<readonly Check[]> {
  const first = await client.ask(path)
  const hit = await client.ask(path)
  const renewed = await client.ask(path, 'GET', { 'Cache-Control': 'max-age=0' })
  const isRenewed = !isSameRead(renewed, hit)
  return [
    toNote(
      'a hit has the expected Date and Age',
      isSameRead(hit, first) && !hit.headers.has('age'),
      `${formatHeaders(hit, ['date', 'age'])}, after ${formatHeaders(first, ['date', 'age'])}`,
    ),
    toNote(
      'a caller cannot renew a cached reply',
      !isRenewed,
      `${isRenewed ? 'another read' : 'the same read'}, ${formatHeaders(renewed, ['warning'])}`,
    ),
  ]
}

function formatHeaders(reply: Reply, names: readonly string[]): string {
  return [formatOutcome(reply), ...names.map(name => `${name} ${reply.headers.get(name) ?? '-'}`)].join(' ')
}
