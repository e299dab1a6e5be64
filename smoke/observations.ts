import { isSameRead } from './cache.ts'
import { type Check, formatOutcome, toNote } from './check.ts'
import type { Client, Reply } from './client.ts'

// What only AWS decides, and what no caller is harmed by: docs/deploy.md, "What the first stage settles".

/**
 * Observes what the cache does with a path that it may have: the age of a hit, a caller that wants a new answer, and HEAD.
 *
 * @param hasEdge whether CloudFront is expected before the API
 */
export async function observeCache(client: Client, path: string, hasEdge: boolean): Promise<readonly Check[]> {
  const first = await client.ask(path)
  const hit = await client.ask(path)
  const renewed = await client.ask(path, 'GET', { 'Cache-Control': 'max-age=0' })
  const head = await client.ask(path, 'HEAD')
  const headOf = hasEdge ? 'HEAD is answered from the cached GET' : 'HEAD is answered by the function'
  return [
    toNote(
      'a hit has the expected Date and Age',
      isSameRead(hit, first) && hit.headers.has('age') === hasEdge,
      `${formatHeaders(hit, ['date', 'age'])}, after ${formatHeaders(first, ['date', 'age'])}`,
    ),
    toNote(
      'a caller cannot renew a cached answer',
      isSameRead(renewed, hit),
      `${isSameRead(renewed, hit) ? 'the same read' : 'another read'}, ${formatHeaders(renewed, ['warning'])}`,
    ),
    toNote(
      headOf,
      head.status === 200 && head.headers.has('expires') === hasEdge,
      formatHeaders(head, ['expires', 'age']),
    ),
  ]
}

function formatHeaders(answer: Reply, names: readonly string[]): string {
  return [formatOutcome(answer), ...names.map(name => `${name} ${answer.headers.get(name) ?? '-'}`)].join(' ')
}
