/** Formats a price for reading: two decimals from 1 USD on, four below. A smaller one is `< 0.0001`, and zero `0`. */
export function formatPrice(exact: string): string {
  if (!/[1-9]/.test(exact)) return '0'
  if (/^0+(\.0{4}|$)/.test(exact)) return '< 0.0001'
  return group(round(exact, /^0+\./.test(exact) ? 4 : 2))
}

/** Formats a multiplier for reading: up to four decimals. Undefined if it is 1 within a hundredth. */
export function formatMultiplier(exact: string): string | undefined {
  const [whole = '', decimals = ''] = exact.split('.')
  const scaled = BigInt(whole + decimals.padEnd(18, '0').slice(0, 18))
  const [one, hundredth] = [10n ** 18n, 10n ** 16n]
  if (scaled >= one - hundredth && scaled <= one + hundredth) return undefined
  if (/^0+(\.0{4}|$)/.test(exact)) return '< 0.0001'
  return group(round(exact, 4).replace(/\.?0+$/, ''))
}

/** Rounds half up. */
function round(exact: string, decimalCount: number): string {
  const [whole = '', decimals = ''] = exact.split('.')
  const tenfold = BigInt(whole + decimals.padEnd(decimalCount + 1, '0').slice(0, decimalCount + 1))
  const digits = String((tenfold + 5n) / 10n).padStart(decimalCount + 1, '0')
  return `${digits.slice(0, -decimalCount)}.${digits.slice(-decimalCount)}`
}

/** Groups the digits before the point in threes. */
export function group(digits: string): string {
  const [whole = '', ...decimals] = digits.split('.')
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...decimals].join('.')
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

/** Formats a time in UTC: `24 Nov 2026, 03:39:18 UTC`. */
export function formatTime(time: Date): string {
  return `${time.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })} UTC`
}
