/** Adds zeros to a price until it has two decimals: `1079.90`. They are exact, as the price is. */
export function formatPrice(price: string | null | undefined): string | null | undefined {
  if (!price) return price
  const [whole, decimals = ''] = price.split('.')
  return `${whole}.${decimals.padEnd(2, '0')}`
}

/** Formats the change of a price: `+0.42 %`. Zero has no sign. Empty without a change. */
export function formatChange(first: string | undefined, price: string | null): string {
  if (first === undefined || price === null || price === first) return ''
  const percent = 100 * (Number(price) / Number(first) - 1)
  const rounded = Math.abs(percent).toFixed(2)
  const sign = rounded === '0.00' ? '' : percent < 0 ? '−' : '+'
  return `${sign}${rounded} %`
}

/** Formats the start of all changes, in local time: `since 06:43`. */
export function formatSince(startMs: number): string {
  return `since ${new Date(startMs).toTimeString().slice(0, 5)}`
}

/** Rounds a multiplier to six decimals, unless nothing would be left. Its record has all of them. */
export function roundMultiplier(multiplier: string | null | undefined): string | null | undefined {
  if (!multiplier) return multiplier
  const rounded = Number(multiplier)
    .toFixed(6)
    .replace(/\.?0+$/, '')
  return rounded === '0' ? multiplier : rounded
}

const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const

/** Formats a duration in its two largest units: `48 d 19 h`, `2 h 5 min`, `42 s`. */
export function formatAge(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const index = units.findIndex(([, size]) => whole >= size)
  const [name, size] = units[index] ?? ['s', 1]
  const [smallerName, smallerSize] = units[index + 1] ?? ['s', 1]
  const rest = Math.floor((whole % size) / smallerSize)
  return `${Math.floor(whole / size)} ${name}${rest === 0 ? '' : ` ${rest} ${smallerName}`}`
}
