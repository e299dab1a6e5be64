const toFormat = (minimumFractionDigits: number, maximumFractionDigits: number) =>
  new Intl.NumberFormat('en-US', { minimumFractionDigits, maximumFractionDigits })
const [twoDecimals, fourDecimals, upToFourDecimals] = [toFormat(2, 2), toFormat(4, 4), toFormat(0, 4)]
const [allDecimals, allPriceDecimals] = [toFormat(0, 20), toFormat(2, 20)]

/** Formats a price for reading: two decimals from 1 USD on, four below. A smaller one is `< 0.0001`, and zero `0`. */
export function formatPrice(exact: `${number}`): string {
  const price = Number(exact)
  if (price === 0) return '0'
  if (price < 0.0001) return '< 0.0001'
  return (price < 1 ? fourDecimals : twoDecimals).format(exact)
}

/** Formats a multiplier for reading: up to four decimals. */
export function formatMultiplier(exact: `${number}`): string {
  return Number(exact) < 0.0001 ? '< 0.0001' : upToFourDecimals.format(exact)
}

/** Formats a price with every digit, and at least two decimals: `1,079.90`. */
export function formatExactPrice(exact: `${number}`): string {
  return allPriceDecimals.format(exact)
}

/** Formats a multiplier with every digit, and its unit: `4 shares`. */
export function formatShares(exact: `${number}`): string {
  const shares = allDecimals.format(exact)
  return shares === '1' ? '1 share' : `${shares} shares`
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

/** Formats a time of the API in UTC: `24 Nov 2026, 03:39:18 UTC`. */
export function formatTime(time: string): string {
  return `${new Date(time).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })} UTC`
}
