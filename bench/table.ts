export interface Column {
  readonly name: string
  /** The milliseconds of each run, by what was measured. The first is the baseline of the others. */
  readonly runs: ReadonlyMap<string, readonly number[]>
}

/** Formats a table in Markdown: the median, the 10th and 90th percentiles, and the median divided by the baseline's. */
export function formatTable(columns: readonly Column[]): string {
  const lines = new Map<string, string[]>()
  for (const { runs } of columns) {
    let baselineMs: number | undefined
    for (const [name, ms] of runs) {
      const medianMs = percentile(ms, 0.5)
      baselineMs ??= medianMs
      const spread = `${percentile(ms, 0.1).toFixed(2)}–${percentile(ms, 0.9).toFixed(2)}`
      const line = lines.get(name) ?? [name]
      lines.set(name, [...line, `${medianMs.toFixed(2)} (${spread}), ${(medianMs / baselineMs).toFixed(2)} ×`])
    }
  }
  const head = ['ms: median (10 % to 90 %), multiple of the bare call', ...columns.map(({ name }) => name)]
  const rule = ['---', ...columns.map(() => '---:')]
  return [head, rule, ...lines.values()].map(cells => `| ${cells.join(' | ')} |`).join('\n')
}

function percentile(measured: readonly number[], part: number): number {
  const found = measured.toSorted((a, b) => a - b)[Math.floor(measured.length * part)]
  if (found === undefined) throw new Error('Nothing was measured.')
  return found
}
