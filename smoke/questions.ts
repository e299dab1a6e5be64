import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, formatAnswer, formatOutcome, isSameRead, slugOf } from './answer.ts'
import type { Client } from './client.ts'
import { fieldsOf, formatJson } from './json.ts'
import type { List } from './promises/list.ts'
import type { Observation } from './report.ts'

/** Asks whether a failure of a function is cached, if one was seen. To ask last: what was seen may still be cached. */
export async function askFailure(client: Client): Promise<Observation> {
  const question = 'Is a 5xx from the function cached?'
  const failed = client.answers.find(({ method, status, path }) => method === 'GET' && status >= 500 && isRoute(path))
  if (failed === undefined) return { question, answer: 'not seen: no 5xx occurred in this run.' }
  const first = await client.ask(failed.path)
  const again = await client.ask(failed.path)
  return { question, answer: concludeFailure(first, again) }
}

/**
 * Concludes from two answers in a row.
 *
 * A problem says nothing that tells one from the next, so their time has to: a function takes longer than a cache.
 */
export function concludeFailure(first: Answer, again: Answer): string {
  const seen = `${formatAnswer(first)} in ${formatMs(first)}, again ${formatOutcome(again)} in ${formatMs(again)}`
  if (first.status < 500) return `not seen: it had passed when it was asked again. ${seen}.`
  if (first.status !== again.status) return `No: the next request had another answer. ${seen}.`
  return `${again.tookMs < first.tookMs / 3 ? 'It looks so' : 'It does not look so'}, by the time it takes. ${seen}.`
}

/** Late in an entry's life, so that a replayed `Date` would be seen, and an old answer too. */
const dateAfterMs = 7_000

/** Asks what a hit's `Date` and `Age` are, some seconds after the answer that it repeats. */
export async function askDate(client: Client, first: Answer): Promise<Observation> {
  const question = 'What are Date and Age on a cache hit?'
  await sleep(Math.max(0, first.receivedAtMs + dateAfterMs - performance.now()))
  return { question, answer: concludeDate(first, await client.ask(first.path)) }
}

/** Concludes from an answer and its repetition. */
export function concludeDate(first: Answer, hit: Answer): string {
  if (!isSameRead(first, hit)) return `not seen: there was no hit later (${formatOutcome(hit)}).`
  const dates = [first, hit].map(({ headers }) => headers.get('date'))
  const elapsed = ((hit.receivedAtMs - first.receivedAtMs) / 1_000).toFixed(1)
  const later = (Date.parse(dates[1] ?? '') - Date.parse(dates[0] ?? '')) / 1_000
  const date = Number.isNaN(later) ? 'not there' : later === 0 ? 'the first answer’s' : `${later} s later than at first`
  return `On a hit ${elapsed} s after the first answer, Date is ${date}; Age is ${hit.headers.get('age') ?? 'not there'}.`
}

/** Concludes from the lists whether ArbSys answers through Multicall3. */
export function answerArbSys(lists: readonly List[]): Observation {
  const seen = lists.map(({ network, answer }) => {
    const block = formatJson(fieldsOf(answer.body).get('block'))
    if (answer.status === 200) return `${network.slug}: yes, a block number (${block}) was read with the feeds`
    return `${network.slug}: open, the list was ${formatOutcome(answer)}`
  })
  return {
    question: 'Does ArbSys answer through Multicall3 (where the nodes are the live networks’)?',
    answer: `${seen.join('; ')}.`,
  }
}

/** Asks what an unknown path with credentials comes to, which a gateway might take for a bad signature. */
export async function askSignature(client: Client): Promise<Observation> {
  const answer = await client.ask('/prices', 'GET', { Authorization: 'x' })
  const isUnknownRoute = answer.status === 404 && slugOf(answer) === 'unknown-route'
  return {
    question: 'Is an unknown path with "Authorization: x" also 404 unknown-route?',
    answer: `${isUnknownRoute ? 'Yes' : 'No'}: ${formatOutcome(answer)}.`,
  }
}

function isRoute(path: string): boolean {
  return /^\/price(?:\/[^/?]+)?(?:\?|$)/.test(path)
}

function formatMs({ tookMs }: Answer): string {
  return `${Math.round(tookMs)} ms`
}
