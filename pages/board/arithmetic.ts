import type { ShownRecord } from './price-response.ts'

type Factors = Pick<ShownRecord, 'price' | 'sharePrice' | 'multiplier'>
type Product = Factors & Pick<ShownRecord, 'servesLatestRoundData'>

/** Formats how the price follows from share price and multiplier. All numbers are the feed's own (D4). */
export function formatArithmetic({ price, sharePrice, multiplier }: Factors): string {
  if (price === null || sharePrice === null || multiplier === null) {
    return `${price ?? 'none'} (share price ${sharePrice ?? 'none'}, multiplier ${multiplier ?? 'none'})`
  }
  const excess = toExcess(sharePrice, multiplier, price)
  const sign = excess === 0n ? '=' : isRounding(excess, multiplier) ? '≈' : '≠'
  return `${sharePrice} USD per share × ${multiplier} ${sign} ${price} USD per token`
}

/** Formats by how much the product of share price and multiplier differs from the price, or undefined without all three. */
export function formatRounding({ price, sharePrice, multiplier, servesLatestRoundData }: Product): string | undefined {
  // Status OK, with the answer 0 in eight decimals.
  if (price === null && servesLatestRoundData)
    return 'The product is below 10⁻⁸ USD, which is 0 in the feed’s decimals.'
  if (price === null || sharePrice === null || multiplier === null) return undefined
  const excess = toExcess(sharePrice, multiplier, price)
  if (excess === 0n) return 'The product is exact.'
  const hundredths = (100n * magnitude(excess)) / unit
  const units = hundredths === 0n ? 'less than 0.01' : `${hundredths / 100n}.${`${hundredths % 100n}`.padStart(2, '0')}`
  const cause = isRounding(excess, multiplier) ? ', because the feed rounds' : ''
  return `The product is ${units} × 10⁻⁸ USD ${excess > 0n ? 'higher' : 'lower'}${cause}. The price is the feed’s own.`
}

/** No price and no multiplier has more decimals. */
const scale = 18

/** One unit of a price's eighth decimal, at twice the scale. */
const unit = 10n ** BigInt(2 * scale - 8)

/**
 * Whether the feed's rounding explains by how much the product exceeds the price.
 *
 * A feed rounds down: as a rule the price, so the product is less than a unit too high. A total-return feed rounds the share
 * price, so the product is less than `multiplier` units too low.
 */
function isRounding(excess: bigint, multiplier: string): boolean {
  const multiplierUnits = toInteger(multiplier) * 10n ** BigInt(scale - 8)
  return -multiplierUnits < excess && excess < unit
}

/** Returns by how much a product exceeds a number, at twice the scale. */
function toExcess(first: string, second: string, product: string): bigint {
  return toInteger(first) * toInteger(second) - toInteger(product) * 10n ** BigInt(scale)
}

function magnitude(number: bigint): bigint {
  return number < 0n ? -number : number
}

function toInteger(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(scale, '0'))
}
