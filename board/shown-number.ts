/** Formats the change of a price: `+0.42 %`. Empty without a change. */
export function formatChange(first: string | undefined, price: string | null | undefined): string {
  if (first === undefined || price === null || price === undefined || price === first) return ''
  const percent = 100 * (Number(price) / Number(first) - 1)
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(2)} %`
}

/** Rounds a multiplier to six decimals, unless nothing would be left. Its record has all of them. */
export function roundMultiplier(multiplier: string | null | undefined): string | null | undefined {
  if (!multiplier) return multiplier
  const rounded = Number(multiplier)
    .toFixed(6)
    .replace(/\.?0+$/, '')
  return rounded === '0' ? multiplier : rounded
}
