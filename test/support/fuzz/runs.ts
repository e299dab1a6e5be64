/** The seed of all random choices, the same in each run of `npm test`. `FUZZ_SEED` changes it or repeats another run. */
const seed = Number(process.env['FUZZ_SEED'] ?? 4_663)

const full = 20_000
const factor = Number(process.env['FUZZ_RUNS'] ?? 4_000) / full

/**
 * Scales a number of runs by `FUZZ_RUNS`, which is 4,000 by default.
 *
 * @param numRuns the runs of one property when `FUZZ_RUNS` is 20,000
 */
export function toRuns(numRuns: number): { readonly seed: number; readonly numRuns: number } {
  return { seed, numRuns: Math.ceil(numRuns * factor) }
}

/** The time limit of a property with so many runs, which ends a run that hangs on any machine. */
export function toTimeoutMs(numRuns: number): number {
  return 120_000 + 100 * toRuns(numRuns).numRuns
}
