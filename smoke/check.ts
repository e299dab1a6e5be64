import type { Reply } from './client.ts'

/** The result of a check. */
export interface Check {
  readonly name: string
  /** Noted: not as expected, which harms no caller. Skipped: the replies that it needs did not come. */
  readonly outcome: 'passed' | 'failed' | 'noted' | 'skipped'
  readonly detail: string
}

const shownMismatches = 3

/** Makes a result: failed if there is any mismatch, otherwise passed with a detail of what was seen. */
export function toCheck(name: string, mismatches: readonly string[], detail: string): Check {
  if (mismatches.length === 0) return { name, outcome: 'passed', detail }
  const more = mismatches.length > shownMismatches ? [`and ${mismatches.length - shownMismatches} more`] : []
  return { name, outcome: 'failed', detail: [...mismatches.slice(0, shownMismatches), ...more].join('; ') }
}

/** Makes the result of a check that only prints what AWS does. */
export function toNote(name: string, isExpected: boolean, seen: string): Check {
  return { name, outcome: isExpected ? 'passed' : 'noted', detail: isExpected ? seen : `not as expected: ${seen}` }
}

/** Makes the result of a check that could not be made. */
export function toSkipped(name: string, reason: string): Check {
  return { name, outcome: 'skipped', detail: reason }
}

/** Checks each of some replies. */
export function checkEach(
  name: string,
  replies: readonly Reply[],
  findMismatches: (reply: Reply) => readonly string[],
): Check {
  if (replies.length === 0) return toSkipped(name, 'no such reply')
  const mismatches = replies.flatMap(reply =>
    findMismatches(reply).map(mismatch => `${formatReply(reply)}, ${mismatch}`),
  )
  return toCheck(name, mismatches, `${replies.length} replies`)
}

/** Formats a request and its outcome on one line. */
export function formatReply(reply: Reply): string {
  return `${reply.method} ${reply.path}: ${formatOutcome(reply)}`
}

/** Formats the status of a reply and the title of a problem; or why there is no response. */
export function formatOutcome({ status, fields: { title }, failure }: Reply): string {
  return failure ?? (title === undefined ? `${status}` : `${status} ${title}`)
}

/** Formats a value of a reply as JSON, shortened. */
export function formatValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
