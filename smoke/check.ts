import type { Answer } from './client.ts'

/** The result of a check. It is skipped when the answers that it needs did not come, and noted when it differs without a harm. */
export interface Check {
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'noted' | 'skipped'
  readonly detail: string
}

const shownFaults = 3

/** Creates a result: failed if there is any fault, otherwise passed with a detail of what was seen. */
export function toCheck(name: string, faults: readonly string[], detail: string): Check {
  if (faults.length === 0) return { name, outcome: 'passed', detail }
  const more = faults.length > shownFaults ? [`and ${faults.length - shownFaults} more`] : []
  return { name, outcome: 'failed', detail: [...faults.slice(0, shownFaults), ...more].join('; ') }
}

/** Creates the result of a check that only prints what AWS does: passed when that is as expected. */
export function toNote(name: string, isExpected: boolean, seen: string): Check {
  return { name, outcome: isExpected ? 'passed' : 'noted', detail: isExpected ? seen : `not as expected: ${seen}` }
}

/** Creates the result of a check that could not be made. */
export function toSkipped(name: string, reason: string): Check {
  return { name, outcome: 'skipped', detail: reason }
}

/** Checks each of some answers. */
export function checkEach(
  name: string,
  answers: readonly Answer[],
  findFaults: (answer: Answer) => readonly string[],
): Check {
  if (answers.length === 0) return toSkipped(name, 'no such answer')
  const faults = answers.flatMap(answer => findFaults(answer).map(fault => `${formatAnswer(answer)}, ${fault}`))
  return toCheck(name, faults, `${answers.length} answers`)
}

/** Formats a request and its outcome on one line. */
export function formatAnswer(answer: Answer): string {
  return `${answer.method} ${answer.path}: ${formatOutcome(answer)}`
}

/** Formats the status of an answer and the title of a problem; or why there is no response. */
export function formatOutcome({ status, fields: { title }, failure }: Answer): string {
  return failure ?? (title === undefined ? `${status}` : `${status} ${title}`)
}

/** Formats a value of an answer on one short line, without control characters. */
export function formatValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
