import { askCache } from './cache-questions.ts'
import type { Client } from './client.ts'
import { findProbe } from './probe.ts'
import { checkFresh, checkKeys, checkReplay } from './promises/cache.ts'
import { toPath } from './promises/feeds.ts'
import type { List } from './promises/list.ts'
import { askDate } from './questions.ts'
import { type Observation, type Row, toUnseen } from './report.ts'

/** What the cache shows at once, and what it shows later: the rest of a run is meanwhile. */
export interface CacheTrial {
  readonly rows: () => Promise<readonly Row[]>
  readonly observations: () => Promise<readonly Observation[]>
}

/** Tries the cache with one feed and the list, as soon as the lists are known, so that the ten seconds pass meanwhile. */
export async function tryCache(client: Client, lists: readonly List[], caches: boolean): Promise<CacheTrial> {
  const probe = findProbe(lists)
  const list = lists.find(({ network }) => network === probe?.network)?.answer
  if (probe === undefined || list === undefined) return never
  const price = await client.ask(toPath(probe.spellings[0] ?? probe.symbol, probe.network))
  const reads = caches ? 'one read' : 'two reads'
  const rows = [
    await checkReplay(client, `a price asked twice is ${reads}`, price, caches),
    await checkReplay(client, `the list asked twice is ${reads}`, list, caches),
    ...(await checkKeys(client, probe)),
  ]
  if (!caches) return { rows: async () => rows, observations: async () => [uncached] }
  const later = Promise.all([
    checkFresh(client, 'a price is read anew after 10 s', price),
    checkFresh(client, 'the list is read anew after 10 s', list),
  ])
  const date = askDate(client, price)
  return {
    rows: async () => [...rows, ...(await later)],
    observations: async () => [...(await askCache(client, probe)), await date],
  }
}

const never: CacheTrial = {
  rows: async () => [toUnseen('an answer is cached for 10 seconds', 'there is no list')],
  observations: async () => [{ question: 'What does the cache do?', answer: 'not asked: there is no list.' }],
}

const uncached: Observation = {
  question: 'What does the cache do?',
  answer: 'not asked: --no-cache says there is none.',
}
