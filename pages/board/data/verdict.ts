import type { Known } from './responses.ts'

/** The mark before each verdict, in the order in which the verdicts are sorted. */
export const marks = { served: '✓', 'not served': '✕', unreadable: '!' } as const

/** What a contract that calls a feed gets: the price, nothing, or what this service cannot know. */
export type Verdict = keyof typeof marks

export function toVerdict(entry: Known): Verdict {
  if (entry.problem !== undefined) return 'unreadable'
  return entry.servesLatestRoundData ? 'served' : 'not served'
}

export function toStatus(entry: Known): string {
  return entry.problem === undefined ? entry.status : 'Unreadable'
}

/** Formats why a feed is served or not, after its verdict: `: stale`, `, market closed`. The status `OK` is no reason. */
export function formatReason(entry: Known): string {
  if (entry.problem !== undefined) return ''
  const { status, price, answerRaw, servesLatestRoundData, latestRoundDataReverts = 'returned another answer' } = entry
  const label = status === 'OK' ? '' : status.toLowerCase()
  if (!servesLatestRoundData) return `: ${label || latestRoundDataReverts}`
  return [price === null ? `, answer ${answerRaw}` : '', label && `, ${label}`].join('')
}
