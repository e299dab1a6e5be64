import type { ShownRecord } from './price-response.ts'

type Product = Pick<ShownRecord, 'price' | 'sharePrice' | 'multiplier' | 'servesLatestRoundData'>

/** Formats by how much the product of share price and multiplier differs from the price, or undefined without all three. */
export function formatRounding({ price, sharePrice, multiplier, servesLatestRoundData }: Product): string | undefined {
  // Status OK, with the answer 0 in eight decimals.
  if (price === null && servesLatestRoundData)
    return 'The product is below 10⁻⁸ USD, which is 0 in the feed’s decimals.'
  if (price === null || sharePrice === null || multiplier === null) return undefined
  // At twice the scale.
  const excess = toInteger(sharePrice) * toInteger(multiplier) - toInteger(price) * 10n ** BigInt(scale)
  if (excess === 0n) return 'The product is the price.'
  const hundredths = (100n * magnitude(excess)) / unit
  const units = hundredths === 0n ? 'less than 0.01' : `${hundredths / 100n}.${`${hundredths % 100n}`.padStart(2, '0')}`
  const cause = isRounding(excess, multiplier) ? ', because the feed rounds' : ''
  return `The product is ${units} × 10⁻⁸ USD ${excess > 0n ? 'above' : 'below'} the price${cause}.`
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

function magnitude(number: bigint): bigint {
  return number < 0n ? -number : number
}

function toInteger(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(scale, '0'))
}
