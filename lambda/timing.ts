/**
 * Every time limit of the functions, in milliseconds.
 *
 * One request at its slowest:
 *
 * | step                                       | limit                | when it is reached                      |
 * |--------------------------------------------|----------------------|-----------------------------------------|
 * | 1. load the RPC URLs, if none are cached   | `parameterStoreMs`   | 503                                     |
 * | 2. read the chain, both rounds together    | `readMs`             | 503 `chain-unavailable`                 |
 * |    - one endpoint, all its requests        | `attemptMs`          | fault `timeout`, the next endpoint      |
 * |    - no response from an endpoint yet      | `hedgeDelayMs`       | the next endpoint in parallel           |
 * |    - no servable reading after round 1     | `secondRoundPauseMs` | round 2, if `readMs` leaves time        |
 * |    - meanwhile reload the URLs, if due     | `parameterStoreMs`   | the stale URLs for another minute       |
 * | 3. if the reload replaced the URLs, 2 anew | `readMs`             | 503 `chain-unavailable`                 |
 *
 * A cold container takes steps 1 and 2, a warm one 2 and 3. A function that still works `earlyResponseMs` before its
 * timeout responds with 503. The timeout of API Gateway's integration is longer.
 *
 * `test/lambda/timing.test.ts` has what must be true of these times.
 */

/** Parameter Store in all, one retry included. */
export const parameterStoreMs = 2_000
/** Parameter Store: one connection, and one response. */
export const parameterStoreConnectMs = 500
export const parameterStoreResponseMs = 1_000
/** Parameter Store is asked again after this long: then a rotated key is in use, and a repaired parameter. */
export const rpcUrlsTtlMs = 60_000
/** A refusal is cached for this long, so that one network's requests do not use up the account's 40 calls a second. */
export const refusalTtlMs = 5_000

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
/**
 * An endpoint that limited the rate within this time, and has not returned a reading since, is not asked again in the
 * same read. A provider may count requests by the minute, refused ones included: two requests for each read could keep its
 * limit exceeded.
 */
export const rateLimitMs = 60_000
/**
 * A connection is used for this long after it was opened, not after its last use: then a change of DNS is followed.
 *
 * Shorter than the idle time after which a load balancer or NAT drops a connection without notice.
 *
 * @see https://learn.microsoft.com/en-us/azure/load-balancer/load-balancer-tcp-reset (240 s)
 * @see https://docs.aws.amazon.com/vpc/latest/userguide/nat-gateway-troubleshooting.html (350 s)
 * @see https://developers.cloudflare.com/fundamentals/reference/connection-limits/ (400 s)
 * @see https://cloud.google.com/load-balancing/docs/https/request-distribution (610 s)
 */
export const connectionMs = 230_000

export const functionMs = 10_000
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
