/**
 * Every time limit of the functions, in milliseconds.
 *
 * One request at its slowest:
 *
 * | step                                       | limit                | when it is reached                      |
 * |--------------------------------------------|----------------------|-----------------------------------------|
 * | 1. load the RPC URLs, if none are cached   | `parameterStoreMs`   | 503 `chain-unavailable`                 |
 * | 2. read the chain, both rounds together    | `readMs`             | 503 `chain-unavailable`                 |
 * |    - one endpoint, all its requests        | `attemptMs`          | fault `timeout`, the next endpoint      |
 * |    - an attempt that has not ended         | `hedgeDelayMs`       | the next endpoint in parallel           |
 * |    - no servable reading after round 1     | `secondRoundPauseMs` | round 2, if `readMs` leaves time and an |
 * |                                            |                      | endpoint is left to ask                 |
 * |    - meanwhile reload the URLs, if due     | `parameterStoreMs`   | the stale URLs for another minute       |
 * | 3. if the reload replaced the URLs, 2 anew | `readMs`             | 503 `chain-unavailable`                 |
 *
 * A cold container takes steps 1 and 2, a warm one 2 and 3. A function that still works `earlyResponseMs` before its
 * timeout responds with 503. The timeout of API Gateway's integration is longer.
 *
 * `test/lambda/timing.test.ts` has what must be true of these times.
 */

/** Time limit of a load from Parameter Store, its retry included. */
export const parameterStoreMs = 2_000
/** Time limits of one connection to Parameter Store, and of one response of it. */
export const parameterStoreConnectMs = 500
export const parameterStoreResponseMs = 1_000
/** RPC URLs are loaded again after this long, so that a rotated key or a repaired parameter takes effect. */
export const rpcUrlsTtlMs = 60_000
/**
 * A refusal of Parameter Store is cached for this long, so that the requests for one network do not use up the 40 calls
 * a second that an account has.
 */
export const refusalTtlMs = 5_000

/** Time limit of one read of the chain, both rounds together. */
export const readMs = 3_500
/**
 * Time limit of one attempt at one endpoint. It leaves time for three endpoints, hedged one by one, within one read.
 */
export const attemptMs = 1_500
/** Hedging delay: if an attempt has not ended after this long, the next endpoint is asked in parallel. */
export const hedgeDelayMs = 600
/**
 * After this long without a connection to an address, the next address of the same host name is tried. An endpoint that
 * needs longer to accept a connection could not reply within an attempt anyway.
 */
export const addressMs = 500
/** The pause between the two rounds. The jitter keeps containers that failed together from retrying together. */
export const secondRoundPauseMs = { min: 150, max: 300 } as const
/**
 * An endpoint whose reading was served, although another endpoint was asked first, is asked first for this long. Then
 * the configured order applies again.
 */
export const preferenceMs = 30_000
/**
 * An endpoint that fails in the second round of a read is asked in no second round for this long, unless it returns a
 * reading. A provider may count requests by the minute, refused ones included, and may refuse with any status: two
 * requests for each read would keep its limit exceeded.
 */
export const failingMs = 60_000
/**
 * A connection is used for this long after it was opened, not after its last use, so that a change of DNS takes effect.
 *
 * This is shorter than the idle time after which a load balancer or NAT drops a connection without notice.
 *
 * @see https://learn.microsoft.com/en-us/azure/load-balancer/load-balancer-tcp-reset (240 s)
 * @see https://docs.aws.amazon.com/vpc/latest/userguide/nat-gateway-troubleshooting.html (350 s)
 * @see https://developers.cloudflare.com/fundamentals/reference/connection-limits/ (400 s)
 * @see https://cloud.google.com/load-balancing/docs/https/request-distribution (610 s)
 */
export const connectionMs = 230_000

/** The timeout of a function that answers a route. */
export const functionMs = 10_000
/** A function that still works this long before its timeout responds with a problem (503). */
export const earlyResponseMs = 300

/**
 * Whether less than a time to live has passed since a time.
 *
 * Both times are of the wall clock, because monotonic clocks may stop while a container is frozen.
 *
 * @param since from `Date.now()`. For a time in the future the result is false: the clock was set back, so the age is
 *   unknown.
 */
export function isWithin(ttlMs: number, since: number): boolean {
  const age = Date.now() - since
  return age >= 0 && age < ttlMs
}
