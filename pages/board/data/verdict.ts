import type { Entry } from './responses.ts'

/** The mark before each verdict, in the order in which the verdicts are sorted. */
export const marks = { served: '✓', 'not served': '✕', unreadable: '!' } as const

/** What a contract that calls a feed gets: the price, nothing, or what this service cannot know. */
export type Verdict = keyof typeof marks

export function toVerdict(entry: Entry): Verdict {
  if (entry.problem !== undefined) return 'unreadable'
  return entry.servesLatestRoundData ? 'served' : 'not served'
}

/** Returns the status of a feed, or that it is unreadable. */
export function toStatus(entry: Entry): string {
  return entry.problem === undefined ? entry.status : 'Unreadable'
}

/** Formats a verdict with its reason: `not served: stale`. The status `OK` is no reason. */
export function formatVerdict(entry: Entry): string {
  const verdict = toVerdict(entry)
  // What follows the last colon of the problem is its reason.
  if (entry.problem !== undefined) return `${verdict}: ${entry.problem.detail.replace(/^.*: |\.$/g, '')}`
  const { status, price, answerRaw, servesLatestRoundData, latestRoundDataReverts } = entry
  const label = status.toLowerCase()
  if (!servesLatestRoundData)
    return `${verdict}: ${status === 'OK' ? (latestRoundDataReverts ?? 'returned another answer') : label}`
  const answer = price === null ? [`answer ${answerRaw}`] : []
  return [verdict, ...answer, ...(status === 'OK' ? [] : [label])].join(', ')
}
