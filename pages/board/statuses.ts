import { feedStatuses, statuses } from '../../api/statuses.ts'
import { isUnreadable, type ShownEntry } from './price-response.ts'

/** The label of a feed that cannot be read. */
const unreadable = 'Unreadable'

const served = {
  yes: 'A lending market is served.',
  no: 'A lending market is refused.',
  'if the feed was deployed for it': 'A lending market is served if the feed was deployed for it.',
} as const

type Meaning = readonly [meaning: string, market: string]

const unreadableMeaning: Meaning = [
  'The chain answered, but this address did not return valid feed data.',
  'Its price is unknown.',
]

/** What each label of a chip means, and what a lending market gets, in the order of the contract's enum. */
const meanings: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ...feedStatuses.map(status => [status, [statuses[status].meaning, served[statuses[status].served]]] as const),
  [unreadable, unreadableMeaning],
])

/** Every label that a chip can have. */
export const chipLabels: readonly string[] = [...meanings.keys()]

/** Returns the status of a feed, or the label of a feed that cannot be read. */
export function statusOf(entry: ShownEntry): string {
  return isUnreadable(entry) ? unreadable : entry.status
}

/** Explains a label, and what a lending market gets. */
export function meaningOf(label: string): string {
  return lookUp(label).join(' ')
}

/** Explains the status of a feed, and a refusal. What is only the last known state is not explained as the current one. */
export function explain(entry: ShownEntry, isLastKnown: boolean): string {
  const sentences = [lookUp(statusOf(entry))[0], ...toRefusal(entry)]
  return `${isLastKnown ? 'When it was last read: ' : ''}${sentences.join(' ')}`
}

function toRefusal(entry: ShownEntry): readonly string[] {
  if (isUnreadable(entry) || entry.servesLatestRoundData) return []
  const { status, latestRoundDataReverts: error } = entry
  if (error === undefined) return ['latestRoundData() returns another answer, which this service does not report.']
  const reverts = `latestRoundData() reverts with ${error}.`
  // With this status, the feed's error has no other cause.
  const isRefusedWhenClosed = status === 'Market closed' && error === 'FeedUnavailable'
  return isRefusedWhenClosed
    ? ['This feed was not deployed to serve a price while the market is closed.', reverts]
    : [reverts]
}

function lookUp(label: string): Meaning {
  return meanings.get(label) ?? unreadableMeaning
}

/** Converts a label or a filter to the form of `data-status`: `market-closed`. */
export function toSlug(label: string): string {
  return label.toLowerCase().replaceAll(' ', '-')
}
