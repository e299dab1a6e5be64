import { digitsOf, formatJson, type JsonObject } from '../json.ts'
import { type Row, toRow } from '../report.ts'

/** A record, and how to call it. */
export interface NamedRecord {
  readonly name: string
  readonly record: JsonObject
}

/** Checks that every number of some records has all its digits and no others. */
export function checkNumbers(promise: string, records: readonly NamedRecord[]): Row {
  const faults = records.flatMap(({ name, record }) => findNumberFaults(record).map(fault => `${name}: ${fault}`))
  const longest = Math.max(0, ...records.map(({ record }) => significantDigits(digitsOf(record.get('multiplier')))))
  const seen = `${records.length} records, price is answerRaw, multipliers of up to ${longest} digits`
  return toRow(promise, [...faults, ...findRounding(records)], seen)
}

/** Says which numbers of a record are not exact: `price` is known from `answerRaw`, of the others the form is. */
export function findNumberFaults(record: JsonObject): readonly string[] {
  const answerRaw = record.get('answerRaw')
  const expected = typeof answerRaw === 'string' ? scale(answerRaw) : undefined
  const price = record.get('price')
  const shown = price === null ? null : digitsOf(price)
  const faults = shown === expected ? [] : [`price is ${formatJson(price)}, and answerRaw ${formatJson(answerRaw)}`]
  for (const [name, decimals] of [
    ['sharePrice', 8],
    ['multiplier', 18],
  ] as const) {
    const digits = digitsOf(record.get(name))
    if (digits !== undefined && !isExactForm(digits, decimals)) faults.push(`${name} is written ${digits}`)
  }
  return faults
}

/**
 * Says whether the multipliers look rounded to doubles.
 *
 * A double has 17 digits at most. Of 18 decimals, the last two are zeros in one multiplier of a hundred;
 * that no long multiplier of several has more than 17 digits is no chance.
 */
function findRounding(records: readonly NamedRecord[]): readonly string[] {
  const texts = new Set(records.map(({ record }) => digitsOf(record.get('multiplier'))))
  const long = [...texts].filter(text => significantDigits(text) >= 15)
  const rounded = long.length >= 2 && long.every(text => significantDigits(text) <= 17)
  return rounded ? [`the multipliers have the digits of doubles: ${long.slice(0, 2).join(', ')}`] : []
}

/** Scales an integer by 8 decimals, to the text that its price must have; null when that is no price. */
function scale(integer: string): string | null {
  if (!/^\d*[1-9]\d*$/.test(integer)) return null
  const padded = BigInt(integer).toString().padStart(9, '0')
  return `${padded.slice(0, -8)}.${padded.slice(-8)}`.replace(/\.?0+$/, '')
}

/** Tells whether a positive decimal is written without exponent and without needless zeros. */
function isExactForm(digits: string, decimals: number): boolean {
  const [, fraction = ''] = /^(?:0|[1-9]\d*)(?:\.(\d*[1-9]))?$/.exec(digits) ?? [undefined, 'x'.repeat(decimals + 1)]
  return fraction.length <= decimals && /[1-9]/.test(digits)
}

function significantDigits(digits = ''): number {
  return digits.replace('.', '').replace(/^0+/, '').length
}
