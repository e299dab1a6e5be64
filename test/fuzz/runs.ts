/** The seed of this run's random choices: another one every time, or `FUZZ_SEED` to see a run again. */
const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31))

const factor = Number(process.env['FUZZ_RUNS'] ?? 20_000) / 20_000

/** Scales a number of runs: `FUZZ_RUNS` says how many the answers of nodes get in all, 20,000 when it is not set. */
export function toRuns(numRuns: number): { readonly seed: number; readonly numRuns: number } {
  return { seed, numRuns: Math.ceil(numRuns * factor) }
}

/** How long a property with so many runs may take, on a slow machine. */
export function toTimeoutMs(numRuns: number): number {
  return 60_000 + 20 * toRuns(numRuns).numRuns
}

/** Prints what a property saw, so that a reader knows what its runs were worth. */
export function report(property: string, seen: ReadonlyMap<string, number>): void {
  const counts = [...seen].toSorted(([, a], [, b]) => b - a).map(([outcome, count]) => `${outcome} ${count}`)
  process.stdout.write(`fuzz, FUZZ_SEED=${seed}: ${property}: ${counts.join(', ')}\n`)
}

/** Counts outcomes by their names. */
export function createCounter() {
  const seen = new Map<string, number>()
  return { seen, count: (outcome: string) => void seen.set(outcome, (seen.get(outcome) ?? 0) + 1) }
}
