/** An answer of the API: a value, or what there is to say instead of one. */
export type ApiAnswer<value> = Answered<value> | Failed

/** A value, and when it was read. */
export interface Answered<value> {
  readonly value: value
  /** When the chain was read, on this machine's clock, in milliseconds. */
  readonly readAtMs: number
  /** After how long the next read can be had. */
  readonly waitMs: number
}

/** A problem in the API's own words, or in ours when it has none. */
export interface Failed {
  readonly title: string
  readonly detail: string
  readonly waitMs: number
  /** Whether the API itself says that asking again is of no use. */
  readonly isLasting: boolean
}
