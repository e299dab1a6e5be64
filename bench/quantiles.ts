/** What many measurements of one thing come to. */
export interface Spread {
  readonly median: number
  /** A quarter of the measurements is below, a quarter above. */
  readonly quartiles: readonly [number, number]
}

/** Sums up measurements by their median and quartiles, which a few outliers do not move. */
export function toSpread(measured: readonly number[]): Spread {
  const sorted = measured.toSorted((a, b) => a - b)
  const at = (share: number): number => {
    const place = share * (sorted.length - 1)
    const [below = Number.NaN, above = below] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
    return below + (above - below) * (place - Math.floor(place))
  }
  return { median: at(0.5), quartiles: [at(0.25), at(0.75)] }
}

/** Writes a median and its quartiles. */
export function formatSpread({ median, quartiles: [low, high] }: Spread, digits = 2): string {
  return `${median.toFixed(digits)} (${low.toFixed(digits)} – ${high.toFixed(digits)})`
}
