/** Returns the median. Of an even number of measurements, it is the upper of the two in the middle. */
export function median(measured: readonly number[]): number {
  return measured.toSorted((a, b) => a - b)[Math.floor(measured.length / 2)] ?? Number.NaN
}

export function round(figure: number): number {
  return Number(figure.toFixed(2))
}
