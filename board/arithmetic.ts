import type { ShownRecord } from './exact-json.ts'

/** Tells where the price comes from, in the feed's own numbers: it multiplies and rounds by itself (D4). */
export function toArithmetic({
  price,
  sharePrice,
  multiplier,
}: Pick<ShownRecord, 'price' | 'sharePrice' | 'multiplier'>): string {
  if (price === null || sharePrice === null || multiplier === null) {
    return `${price ?? 'none'} (share price ${sharePrice ?? 'none'}, multiplier ${multiplier ?? 'none'})`
  }
  const sign = compareProduct(sharePrice, multiplier, price)
  return `${sharePrice} USD per share × ${multiplier} ${sign} ${price} USD per token`
}

/** Decimals that neither a price nor a multiplier has more of. */
const scale = 18

/** What the last digit of a price stands for, twice: a feed rounds at each of its steps. */
const roundedAway = 2n * 10n ** BigInt(2 * scale - 8)

/** Compares a product with what stands for it: exactly, but for what rounding takes or gives, or not at all the same. */
function compareProduct(first: string, second: string, product: string): '=' | '≈' | '≠' {
  const difference = toInteger(first) * toInteger(second) - toInteger(product) * 10n ** BigInt(scale)
  if (difference === 0n) return '='
  return difference < roundedAway && -difference < roundedAway ? '≈' : '≠'
}

function toInteger(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(scale, '0'))
}
