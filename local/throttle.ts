/**
 * Creates a token bucket, full at first. Each request takes one token; time adds tokens up to the burst.
 *
 * @returns a function that takes a token, or returns false when there is none
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-request-throttling.html
 */
export function createThrottle(
  { requestsPerSecond, burst }: { readonly requestsPerSecond: number; readonly burst: number },
  nowMs: () => number,
): () => boolean {
  let tokens = burst
  let countedAtMs = nowMs()
  return () => {
    const atMs = nowMs()
    tokens = Math.min(burst, tokens + ((atMs - countedAtMs) / 1_000) * requestsPerSecond)
    countedAtMs = atMs
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}
