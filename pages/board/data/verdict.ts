import type { Entry } from './responses.ts'

/** The mark before each verdict, in the order in which the verdicts are sorted. */
export const marks = { served: '✓', 'not served': '✕', unreadable: '!' } as const

/** What a contract that calls a feed gets: the price, nothing, or what this service cannot know. */
export type Verdict = keyof typeof marks

export function toVerdict(entry: Entry): Verdict {
  if (entry.problem !== undefined) return 'unreadable'
  return entry.servesLatestRoundData ? 'served' : 'not served'
}

/** Formats the verdict with its reason: `not served: stale`, or of the past `was not served: stale`. */
export function formatVerdict(entry: Entry, isPast: boolean): string {
  return (isPast ? 'was ' : '') + toVerdict(entry) + formatReason(entry)
}

/** Formats why a feed is served or not, after its verdict. The status `OK` is no reason. */
function formatReason(entry: Entry): string {
  if (entry.problem !== undefined) return ''
  const { status, price, answerRaw, servesLatestRoundData, latestRoundDataReverts = 'returned something else' } = entry
  const label = status === 'OK' ? '' : status.toLowerCase()
  if (!servesLatestRoundData) return `: ${label || latestRoundDataReverts}`
  return [price === null ? `, answer ${answerRaw}` : '', label && `, ${label}`].join('')
}
