import { type Fields, fieldsOf, formatValue } from './check.ts'

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

const recordFields =
  `symbol network chainId status servesLatestRoundData latestRoundDataReverts price sharePrice multiplier
  observedAt observedAtIso ageSeconds answerRaw decimals feed token explorer block readAt`.split(/\s+/)

const statuses = ['OK', 'Market closed', 'Stale', 'Oracle paused', 'Straddle', 'Corporate action', 'No data']

/** Finds the first field that is not the expected one at its place. */
export function findOrderFault(fields: Fields, expected: readonly string[]): readonly string[] {
  const names = Object.keys(fields)
  const place = [...expected, undefined].findIndex((name, index) => name !== names[index])
  return place < 0 ? [] : [`has the field ${formatValue(names[place])} where ${expected[place] ?? 'none'} is expected`]
}

/**
 * Finds what contradicts the specification, or the record itself.
 *
 * @param record with numbers as texts
 * @param more the fields that follow those of a record
 */
export function findRecordFaults(record: Fields, network: Network, more: readonly string[] = []): readonly string[] {
  const { observedAt, readAt } = record
  const reverts = 'latestRoundDataReverts' in record
  const fields = recordFields.filter(name => reverts || name !== 'latestRoundDataReverts')
  const observedAtMs = observedAt === null ? null : Number(observedAt) * 1_000
  const elapsed = Math.max(0, Math.floor((Date.parse(String(readAt)) - (observedAtMs ?? 0)) / 1_000))
  const expected = {
    network: network.name,
    chainId: network.chainId,
    status: statuses.find(status => status === record['status']),
    servesLatestRoundData: reverts ? false : record['servesLatestRoundData'],
    observedAtIso: observedAtMs === null ? null : new Date(observedAtMs).toJSON(),
    ageSeconds: observedAtMs === null ? null : String(elapsed),
  }
  const wrong = Object.entries(expected).filter(([name, value]) => record[name] !== value)
  return [
    ...findOrderFault(record, [...fields, ...more]),
    ...wrong.map(([name]) => `${name} is ${formatValue(record[name])}`),
    ...findExplorerFaults(record),
  ]
}

/** Finds links of an entry that do not lead to its addresses. */
export function findExplorerFaults(entry: Fields): readonly string[] {
  const explorer = fieldsOf(entry['explorer'])
  const wrong = ['feed', 'token'].filter(name => !String(explorer[name]).endsWith(`/address/${entry[name]}`))
  return wrong.map(name => `explorer.${name} is ${formatValue(explorer[name])}`)
}

/**
 * Finds numbers that are not exact. `answerRaw` proves the price; of the others the form is checked.
 *
 * @param record with numbers as texts
 */
export function findNumberFaults(record: Fields): readonly string[] {
  const { price, sharePrice, multiplier, answerRaw } = record
  const isRight = price === scale(String(answerRaw))
  return [
    ...(isRight ? [] : [`price is ${formatValue(price)}, answerRaw ${formatValue(answerRaw)}`]),
    ...(isExact(sharePrice, 8) ? [] : [`sharePrice is ${formatValue(sharePrice)}`]),
    ...(isExact(multiplier, 18) ? [] : [`multiplier is ${formatValue(multiplier)}`]),
  ]
}

/** Scales an integer by 8 decimals to the text that its price must have; null if it is not positive. */
function scale(integer: string): string | null {
  if (!/^\d*[1-9]\d*$/.test(integer)) return null
  const padded = BigInt(integer).toString().padStart(9, '0')
  return `${padded.slice(0, -8)}.${padded.slice(-8)}`.replace(/\.?0+$/, '')
}

/** Whether a value is null or a positive decimal without exponent, needless zeros or too many decimals. */
function isExact(value: unknown, decimals: number): boolean {
  const [text, fraction = ''] = /^(?:0|[1-9]\d*)(?:\.(\d*[1-9]))?$/.exec(String(value)) ?? []
  return value === null || (text !== undefined && text !== '0' && fraction.length <= decimals)
}

/**
 * Finds signs that multipliers were rounded to doubles, which have at most 17 significant digits.
 *
 * One exact multiplier of 18 decimals in a hundred ends with two zeros. That all of several do is not chance.
 */
export function findRounding(multipliers: readonly string[]): readonly string[] {
  const long = [...new Set(multipliers)].filter(text => countDigits(text) >= 15)
  const isRounded = long.length >= 2 && long.every(text => countDigits(text) <= 17)
  return isRounded ? [`the multipliers have the digits of doubles: ${long.slice(0, 2).join(', ')}`] : []
}

/** Counts the significant digits of a decimal. */
export function countDigits(text: string): number {
  return text.replace('.', '').replace(/^0+/, '').length
}
