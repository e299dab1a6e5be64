import type { ShownRecord } from './price-answer.ts'

/** Formats how the price follows from share price and multiplier. All numbers are the feed's own (D4). */
export function formatArithmetic({
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

/** No price and no multiplier has more decimals. */
const scale = 18

/** Two units of a price's eighth decimal, at twice the scale: the feed rounds in each of its two steps. */
const maxRounding = 2n * 10n ** BigInt(2 * scale - 8)

function compareProduct(first: string, second: string, product: string): '=' | '≈' | '≠' {
  const difference = toInteger(first) * toInteger(second) - toInteger(product) * 10n ** BigInt(scale)
  if (difference === 0n) return '='
  return difference < maxRounding && -difference < maxRounding ? '≈' : '≠'
}

function toInteger(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(scale, '0'))
}
