/** What was seen of one promise: kept, broken, or out of sight, because what it is about did not come. */
export interface Row {
  readonly promise: string
  readonly verdict: 'ok' | 'BROKEN' | 'unseen'
  readonly seen: string
}

/** An open question, and what this run has to say on it. */
export interface Observation {
  readonly question: string
  readonly answer: string
}

/** Makes the row of a promise: any fault breaks it. */
export function toRow(promise: string, faults: readonly string[], seen: string): Row {
  if (faults.length === 0) return { promise, verdict: 'ok', seen }
  const more = faults.length > shownFaults ? [`and ${faults.length - shownFaults} more`] : []
  return { promise, verdict: 'BROKEN', seen: [...faults.slice(0, shownFaults), ...more].join('; ') }
}

/** Makes the row of a promise that nothing can be said about. */
export function toUnseen(promise: string, why: string): Row {
  return { promise, verdict: 'unseen', seen: why }
}

const shownFaults = 3

/** Formats the promises as a table, and below it a line for each question. */
export function formatReport(rows: readonly Row[], observations: readonly Observation[]): string {
  const width = Math.max(...rows.map(({ promise }) => promise.length))
  const table = rows.map(({ promise, verdict, seen }) => `  ${verdict.padEnd(6)}  ${promise.padEnd(width)}  ${seen}`)
  const lines = observations.map(({ question, answer }) => `  ${question}\n    ANSWER: ${answer}`)
  return [...table, '', 'Open questions', '', ...lines].join('\n')
}

/** Formats how many promises were kept. */
export function formatCount(rows: readonly Row[]): string {
  const count = (verdict: Row['verdict']) => rows.filter(row => row.verdict === verdict).length
  const unseen = count('unseen') > 0 ? `, ${count('unseen')} unseen` : ''
  return `${count('ok')} promises kept, ${count('BROKEN')} broken${unseen}`
}
