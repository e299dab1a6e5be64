/** An HTTP response and the request that it answers: what a check reads. */
export interface Answer {
  readonly method: string
  /** Below the base URL, with its query. */
  readonly path: string
  /** 0 without a response. */
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body parsed as JSON; undefined if it is not JSON. */
  readonly json: unknown
  /** The same, but every number is the text that was sent, with all its digits. */
  readonly exact: unknown
  /** Why there is no response. */
  readonly failure?: string
  /** On the client's clock. */
  readonly receivedAtMs: number
}

/** The result of a check. It is skipped when the answers that it needs did not come. */
export interface Check {
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly detail: string
}

const shownFaults = 3

/** Creates a result: failed if there is any fault, otherwise passed with a detail of what was seen. */
export function toCheck(name: string, faults: readonly string[], detail: string): Check {
  if (faults.length === 0) return { name, outcome: 'passed', detail }
  const more = faults.length > shownFaults ? [`and ${faults.length - shownFaults} more`] : []
  return { name, outcome: 'failed', detail: [...faults.slice(0, shownFaults), ...more].join('; ') }
}

/** Creates the result of a check that could not be made. */
export function toSkipped(name: string, reason: string): Check {
  return { name, outcome: 'skipped', detail: reason }
}

/** The fields of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>

/** Returns the fields of an object, and none for any other value. */
export function fieldsOf(json: unknown): Fields {
  return isObject(json) ? json : {}
}

function isObject(json: unknown): json is Fields {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

/** Returns the last part of a problem's type, such as `unknown-symbol`. */
export function slugOf({ exact }: Answer): string | undefined {
  return String(fieldsOf(exact)['type']).split(':').at(-1)
}

/** Returns when the chain was read for a success, in Unix milliseconds; undefined for every other answer. */
export function readAtMsOf({ status, exact }: Answer): number | undefined {
  const readAtMs = status === 200 ? Date.parse(String(fieldsOf(exact)['readAt'])) : Number.NaN
  return Number.isNaN(readAtMs) ? undefined : readAtMs
}

/** Formats a request and its outcome on one line. */
export function formatAnswer(answer: Answer): string {
  const { method, path } = answer
  return `${method} ${path.length > 60 ? `${path.slice(0, 60)}…` : path}: ${formatOutcome(answer)}`
}

/** Formats the status of an answer and the title of a problem; or why there is no response. */
export function formatOutcome({ status, exact, failure }: Answer): string {
  const { title } = fieldsOf(exact)
  return failure ?? (typeof title === 'string' ? `${status} ${formatValue(title).slice(1, -1)}` : String(status))
}

/** Formats a value of an answer on one short line, without control characters. */
export function formatValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
