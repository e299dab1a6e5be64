import { digitsOf, fieldsOf, type Json } from './json.ts'

/** What came back for a request. */
export interface Answer {
  readonly method: string
  /** Below the base URL, with its query. */
  readonly path: string
  /** The HTTP status; 0 when no answer came. */
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The text as JSON, if it is. */
  readonly body: Json | undefined
  /** Why no answer came. */
  readonly failure?: string
  /** When its last byte came, on this process's own clock. */
  readonly receivedAtMs: number
  readonly tookMs: number
}

/** Formats what was asked and answered, on one line. */
export function formatAnswer({ method, path, ...answer }: Answer): string {
  return `${method} ${path.length > 60 ? `${path.slice(0, 60)}…` : path}: ${formatOutcome(answer)}`
}

/** Formats how a request ended: its status, and the problem's title if it is one. */
export function formatOutcome({ status, body, failure }: Pick<Answer, 'status' | 'body' | 'failure'>): string {
  if (failure !== undefined) return failure
  const title = fieldsOf(body).get('title')
  return typeof title === 'string' ? `${status} ${JSON.stringify(title.slice(0, 80)).slice(1, -1)}` : String(status)
}

/** Says what a problem's type ends with, as in `unknown-symbol`. */
export function slugOf({ body }: Answer): string | undefined {
  const type = fieldsOf(body).get('type')
  return typeof type === 'string' ? type.split(':').at(-1) : undefined
}

/** Says when the chain was read for a success, Unix time in milliseconds. */
export function readAtMsOf({ status, body }: Answer): number | undefined {
  const readAt = fieldsOf(body).get('readAt')
  const readAtMs = status === 200 && typeof readAt === 'string' ? Date.parse(readAt) : Number.NaN
  return Number.isNaN(readAtMs) ? undefined : readAtMs
}

/** Tells whether two answers come of one read of the chain, so that one of them, or both, came from a cache. */
export function isSameRead(one: Answer, other: Answer): boolean {
  const readAtMs = readAtMsOf(one)
  if (readAtMs === undefined || readAtMs !== readAtMsOf(other)) return false
  return ['block', 'chainId'].every(
    name => digitsOf(fieldsOf(one.body).get(name)) === digitsOf(fieldsOf(other.body).get(name)),
  )
}

/** Tells whether an answer has a media type, whatever its parameters. */
export function hasType({ headers }: Answer, type: string): boolean {
  return headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() === type
}
