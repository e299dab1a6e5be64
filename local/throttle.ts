/**
 * Creates a token bucket: it is full at first, every request takes one token, and time brings new ones up to the burst.
 *
 * The function that it gives takes a token, and says whether there was one.
 */
export function createThrottle(throttling: {
  readonly requestsPerSecond: number
  readonly burst: number
}): () => boolean {
  const { requestsPerSecond, burst } = throttling
  let tokens = burst
  let countedAtMs = performance.now()
  return () => {
    const nowMs = performance.now()
    tokens = Math.min(burst, tokens + ((nowMs - countedAtMs) / 1_000) * requestsPerSecond)
    countedAtMs = nowMs
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}
