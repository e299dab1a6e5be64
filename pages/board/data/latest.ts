import { type Moment, secondsSince } from './clock.ts'

export interface Loaded<Value> {
  readonly value: Value
  /** When the chain was read. */
  readonly readMoment: Moment
  /** Delay until a newer value can be available. */
  readonly waitMs: number
  /** The RPC URL of the network's local chain, which only the local run sends. */
  readonly localRpcUrl: string | undefined
}

/** A failed request, described by the API, or by the board if the API sent no description. */
export interface Failed {
  readonly title: string
  readonly detail: string
  /** Delay until the next attempt. */
  readonly waitMs: number
  readonly failedMoment: Moment
  /** Whether a further attempt cannot succeed. */
  readonly isPermanent: boolean
}

/** The last value, and the failure of the last request if it failed. */
export interface Latest<Value> {
  readonly loaded?: Loaded<Value> | undefined
  readonly failed?: Failed | undefined
}

/** Adds the result of a request: a failure keeps the last value. */
export function toLatest<Value>({ loaded }: Latest<Value>, result: Loaded<Value> | Failed): Latest<Value> {
  return 'value' in result ? { loaded: result } : { loaded, failed: result }
}

/** Whether a value is of the past: the last request failed, or the chain was read more than a minute ago. */
export function isPast({ loaded, failed }: Latest<unknown>): boolean {
  return failed !== undefined || (loaded !== undefined && secondsSince(loaded.readMoment) > 60)
}
