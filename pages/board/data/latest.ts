import { type Moment, secondsSince } from './clock.ts'
import type { ShownList } from './responses.ts'

export interface Loaded {
  readonly list: ShownList
  /** When the chain was read. */
  readonly readMoment: Moment
  /** The RPC URL of the network's local chain, which only the local run sends. */
  readonly localRpcUrl: string | undefined
}

/** A failed request, described by the API, or by the board if the API sent no description. */
export interface Failed {
  readonly title: string
  readonly detail: string
}

/** When the next request is made. */
export interface Due {
  /** When the last request began, or ended. */
  readonly since: Moment
  /** The delay after that moment. */
  readonly waitMs: number
  /** Whether the last request has not ended. */
  readonly isRunning: boolean
}

/**
 * The last list, and the failure of the last request if it failed. All that the page shows of feeds is of this list.
 */
export interface Latest {
  readonly loaded?: Loaded | undefined
  readonly failed?: Failed | undefined
}

/** Adds the result of a request: a failure keeps the last list. */
export function toLatest({ loaded }: Latest, result: Loaded | Failed): Latest {
  return 'list' in result ? { loaded: result } : { loaded, failed: result }
}

/** Whether the list is of the past: the last request failed, or the chain was read more than a minute ago. */
export function isPast({ loaded, failed }: Latest): boolean {
  return failed !== undefined || (loaded !== undefined && secondsSince(loaded.readMoment) > 60)
}
