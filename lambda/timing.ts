/**
 * Every time limit of the functions, in milliseconds.
 *
 * One request at its slowest:
 *
 * | step                                       | limit                | when it is reached                      |
 * |--------------------------------------------|----------------------|-----------------------------------------|
 * | 1. load the RPC URLs, if they are due      | `parameterStoreMs`   | 503, or the stale URLs if there are any |
 * | 2. read the chain, both rounds together    | `readMs`             | 503 `chain-unavailable`                 |
 * |    - one endpoint, all its requests        | `attemptMs`          | fault `timeout`, the next endpoint      |
 * |    - no response from an endpoint yet      | `hedgeDelayMs`       | the next endpoint in parallel           |
 * |    - no servable reading after round 1     | `secondRoundPauseMs` | round 2, if `readMs` leaves time        |
 *
 * The steps follow each other and add up to 5.5 s. The function's timeout is 10 s. A function that still works
 * `earlyResponseMs` before its timeout responds with 503. The timeout of API Gateway's integration is 12 s.
 */

/** Parameter Store in all, one retry included. */
export const parameterStoreMs = 2_000
/** Parameter Store: one connection, and one response. */
export const parameterStoreConnectMs = 500
export const parameterStoreResponseMs = 1_000
/** Parameter Store is asked again after this long: then a rotated key is in use, and a repaired parameter. */
export const rpcUrlsTtlMs = 60_000

/** The whole read of the chain. */
export const readMs = 3_500
/** One attempt at one endpoint, so that three endpoints fit into one read. */
export const attemptMs = 1_500
/** Hedging delay: after this long without a response, the next endpoint is asked in parallel. */
export const hedgeDelayMs = 600
/** The connection to one of several addresses of a name. An endpoint that needs longer cannot reply within an attempt. */
export const addressMs = 500
/** Between the two rounds. The jitter keeps containers that failed together from retrying together. */
export const secondRoundPauseMs = { min: 150, max: 300 } as const
/** The endpoint that served a reading is asked first for this long, then the configured order counts again. */
export const preferenceMs = 30_000
/** An idle connection older than this is closed: a frozen container does not notice that the node closed it. */
export const idleConnectionMs = 4_000

/** Kept of the function's time to respond with a problem when everything else took too long. */
export const earlyResponseMs = 300

/**
 * Whether less than a time to live has passed.
 *
 * On the wall clock, because monotonic clocks may stop while a container is frozen.
 *
 * @param since from `Date.now()`. A time in the future is not within: the clock stepped back, and the age is unknown.
 */
export function isWithin(ttlMs: number, since: number): boolean {
  const age = Date.now() - since
  return age >= 0 && age < ttlMs
}
