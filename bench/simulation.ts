/** A cache before the functions. */
export interface Cache {
  readonly ttlSeconds: number
  /** Whether requests for one key that arrive during a read share it. API Gateway's cache does not merge them, CloudFront does. */
  readonly mergesMisses: boolean
}

/** The results for one key, or the sum of several. */
export interface Outcome {
  readonly seconds: number
  readonly requests: number
  readonly reads: number
  /** Sum of the durations of the reads. */
  readonly readSeconds: number
  /** The largest number of reads of one key at once. */
  readonly peakReads: number
  /** The number of answers by age: element `i` counts the ages from `i` to `i + 1` hundredths of a second. */
  readonly ages: readonly number[]
}

/**
 * Simulates the requests for one key of a cache.
 *
 * Arrivals are a Poisson process. The age of an answer counts from the end of its read, and the cache stores the answer at that moment.
 *
 * @param requestsPerSecond mean rate of the arrivals
 * @param random returns a number in [0, 1)
 * @param readSeconds returns the duration of the next read
 */
export function simulateKey(
  requestsPerSecond: number,
  { ttlSeconds, mergesMisses }: Cache,
  seconds: number,
  random: () => number,
  readSeconds: () => number,
): Outcome {
  const ages = new Array<number>(Math.ceil(ttlSeconds * 100) + 1).fill(0)
  const countAge = (age: number) => {
    const index = Math.floor(age * 100)
    ages[index] = (ages[index] ?? 0) + 1
  }
  let requests = 0
  let reads = 0
  let busySeconds = 0
  let peakReads = 0
  /** When the stored answer was read. */
  let storedAt = -Infinity
  /** Ends of the reads that are running, in ascending order. */
  const running: number[] = []
  for (let now = toGap(requestsPerSecond, random()); now < seconds; now += toGap(requestsPerSecond, random())) {
    requests++
    for (; (running[0] ?? Infinity) <= now; running.shift()) storedAt = running[0] ?? storedAt
    if (now < storedAt + ttlSeconds) {
      countAge(now - storedAt)
      continue
    }
    countAge(0)
    if (mergesMisses && running.length > 0) continue
    const took = readSeconds()
    reads++
    busySeconds += took
    running.push(now + took)
    running.sort((a, b) => a - b)
    peakReads = Math.max(peakReads, running.length)
  }
  return { seconds, requests, reads, readSeconds: busySeconds, peakReads, ages }
}

/** The time to the next arrival of a Poisson process. */
function toGap(rate: number, uniform: number): number {
  return -Math.log(1 - uniform) / rate
}

/** The age in seconds that a share of the answers does not exceed, to a hundredth. */
export function toAge({ ages, requests }: Outcome, share: number): number {
  let left = share * requests
  for (const [index, count] of ages.entries()) {
    left -= count
    if (left <= 0) return index / 100
  }
  return Number.NaN
}

/** Adds the results of several keys that were simulated for the same time. */
export function addOutcomes(outcomes: readonly Outcome[]): Outcome {
  const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((total, outcome) => total + of(outcome), 0)
  const length = Math.max(...outcomes.map(({ ages }) => ages.length))
  return {
    seconds: outcomes[0]?.seconds ?? 0,
    requests: sum(({ requests }) => requests),
    reads: sum(({ reads }) => reads),
    readSeconds: sum(({ readSeconds }) => readSeconds),
    peakReads: Math.max(...outcomes.map(({ peakReads }) => peakReads)),
    ages: Array.from({ length }, (_, index) => sum(({ ages }) => ages[index] ?? 0)),
  }
}

/**
 * Creates a generator of uniform numbers in [0, 1), so that a simulation can be repeated (xorshift32).
 *
 * @see https://www.jstatsoft.org/article/view/v008i14
 */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
