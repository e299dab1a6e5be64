import { isDeepStrictEqual } from 'node:util'
import { formatValue } from './check.ts'
import { type Fields, fieldsOf } from './client.ts'

/** A network as callers know it. */
export interface Network {
  /** Its value of the parameter `network`. */
  readonly slug: string
  /** Selects it; empty for the default. */
  readonly query: string
  readonly name: string
  readonly chainId: string
}

// Facts of the specification, which must not be taken from the service's own description.

/** The default network. The others are as the description enumerates them. */
export const mainnet: Network = { slug: 'mainnet', query: '', name: 'Robinhood Chain', chainId: '4663' }

/** In their order. `url` is of the entries in a list. */
const recordFields: readonly string[] = [
  'symbol',
  'network',
  'chainId',
  'status',
  'servesLatestRoundData',
  'latestRoundDataReverts',
  'price',
  'sharePrice',
  'multiplier',
  'observedAt',
  'observedAtIso',
  'ageSeconds',
  'answerRaw',
  'decimals',
  'feed',
  'token',
  'explorer',
  'block',
  'readAt',
  'url',
]

const statuses: readonly unknown[] = [
  'OK',
  'Market closed',
  'Stale',
  'Oracle paused',
  'Straddle',
  'Corporate action',
  'No data',
]

const optionalFields = ['latestRoundDataReverts', 'url']

/**
 * Finds what contradicts the specification, or the record itself.
 *
 * @param record with numbers as texts
 */
export function findRecordMismatches(record: Fields, network: Network): readonly string[] {
  const { observedAt, readAt } = record
  const observedAtMs = observedAt === null ? null : Number(observedAt) * 1_000
  const elapsed = Math.max(0, Math.floor((Date.parse(String(readAt)) - (observedAtMs ?? 0)) / 1_000))
  const expected = {
    network: network.name,
    chainId: network.chainId,
    servesLatestRoundData: 'latestRoundDataReverts' in record ? false : record['servesLatestRoundData'],
    observedAtIso: observedAtMs === null ? null : new Date(observedAtMs).toJSON(),
    ageSeconds: observedAtMs === null ? null : String(elapsed),
  }
  const wrong = Object.entries(expected).filter(([name, value]) => record[name] !== value)
  const names = Object.keys(record)
  const fields = recordFields.filter(name => name in record || !optionalFields.includes(name))
  return [
    ...(isDeepStrictEqual(names, fields) ? [] : [`its fields are ${names.join(' ')}`]),
    ...(statuses.includes(record['status']) ? [] : [`status is ${formatValue(record['status'])}`]),
    ...wrong.map(([name]) => `${name} is ${formatValue(record[name])}`),
    ...findExplorerMismatches(record),
  ]
}

/** Finds links of an entry that do not lead to its addresses. */
export function findExplorerMismatches(entry: Fields): readonly string[] {
  const explorer = fieldsOf(entry['explorer'])
  const wrong = ['feed', 'token'].filter(name => !String(explorer[name]).endsWith(`/address/${entry[name]}`))
  return wrong.map(name => `explorer.${name} is ${formatValue(explorer[name])}`)
}

/** Numbers without exponent and needless zeros, with the decimals of a feed and of a multiplier. */
const forms = {
  sharePrice: /^(0|[1-9]\d*)(\.\d{0,7}[1-9])?$/,
  multiplier: /^(0|[1-9]\d*)(\.\d{0,17}[1-9])?$/,
}

/**
 * Finds numbers that are not exact. `answerRaw` proves the price; of the others the form is checked.
 *
 * @param record with numbers as texts
 */
export function findNumberMismatches(record: Fields): readonly string[] {
  const { price, answerRaw } = record
  const expected = scale(String(answerRaw))
  const wrong = Object.entries(forms).filter(([name, form]) => record[name] !== null && !form.test(`${record[name]}`))
  return [
    ...(price === expected ? [] : [`price is ${formatValue(price)}, answerRaw ${formatValue(answerRaw)}`]),
    ...wrong.map(([name]) => `${name} is ${formatValue(record[name])}`),
  ]
}

/** Scales an integer by 8 decimals to the text that its price must have; null if it is not positive. */
function scale(integer: string): string | null {
  if (!/^\d*[1-9]\d*$/.test(integer)) return null
  const padded = integer.padStart(9, '0')
  return `${padded.slice(0, -8)}.${padded.slice(-8)}`.replace(/\.?0+$/, '')
}

/**
 * Finds signs that multipliers were rounded to doubles, which have at most 17 significant digits.
 *
 * One exact multiplier of 18 decimals in a hundred ends with two zeros. That all of several do is not chance.
 */
export function findRounding(multipliers: readonly string[]): readonly string[] {
  const countDigits = (text: string) => text.replace('.', '').replace(/^0+/, '').length
  const long = [...new Set(multipliers)].filter(text => countDigits(text) >= 15)
  const isRounded = long.length >= 2 && long.every(text => countDigits(text) <= 17)
  return isRounded ? [`the multipliers have the digits of doubles: ${long.slice(0, 2).join(', ')}`] : []
}
