/** The seed of the random choices: new for each run, or `FUZZ_SEED` to repeat a run. */
const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31))

const factor = Number(process.env['FUZZ_RUNS'] ?? 20_000) / 20_000

/** Scales a number of runs by `FUZZ_RUNS`, the runs for all replies of nodes together, by default 20,000. */
export function toRuns(numRuns: number): { readonly seed: number; readonly numRuns: number } {
  return { seed, numRuns: Math.ceil(numRuns * factor) }
}

/** The time limit of a property with so many runs, on a slow machine. */
export function toTimeoutMs(numRuns: number): number {
  return 60_000 + 20 * toRuns(numRuns).numRuns
}

/** Counts the outcomes of a property, and prints them, so that a reader can judge what its runs covered. */
export function createCounter() {
  const counts = new Map<string, number>()
  return {
    count: (outcome: string) => void counts.set(outcome, (counts.get(outcome) ?? 0) + 1),
    print: (property: string) => {
      const texts = [...counts].toSorted(([, a], [, b]) => b - a).map(([outcome, count]) => `${outcome} ${count}`)
      process.stdout.write(`fuzz, FUZZ_SEED=${seed}: ${property}: ${texts.join(', ')}\n`)
    },
  }
}
