/** A value from the API. */
export interface Loaded<value> {
  readonly value: value
  /** When the chain was read, on the clock of this machine, in milliseconds. */
  readonly readAtMs: number
  /** Delay until a newer value can be available. */
  readonly waitMs: number
  /** The RPC URLs of local chains by network, which only the local run sends. */
  readonly localChains: ReadonlyMap<string, string>
}

/** A failed request, described by the API, or by the board if the API sent no description. */
export interface Failed {
  readonly title: string
  readonly detail: string
  /** Delay until the next attempt. */
  readonly waitMs: number
  /** Whether requests come too fast, so that no attempt may be earlier. */
  readonly isThrottled: boolean
  /** When it failed, on the clock of this machine, in milliseconds. */
  readonly failedAtMs: number
  /** Whether a retry cannot succeed. */
  readonly isPermanent: boolean
}

/** The last value, and the failure of the last request if it failed. */
export interface Latest<value> {
  readonly loaded?: Loaded<value> | undefined
  readonly failed?: Failed | undefined
  /** Whether the user has requested an attempt that has no result yet. */
  readonly isRetrying?: boolean
}

/** Adds the outcome of a request: a failure keeps the last value. */
export function toLatest<value>({ loaded }: Latest<value>, outcome: Loaded<value> | Failed): Latest<value> {
  return 'value' in outcome ? { loaded: outcome } : { loaded, failed: outcome }
}
