import { type Fields, fieldsOf, type Reply } from './client.ts'
import { entriesOf, isRecord } from './prices.ts'
import { formatValue } from './printable.ts'

/** Finds what contradicts itself in a price or in the entries of a list. */
export function findContradictions(reply: Reply): readonly string[] {
  return listEntries(reply).flatMap(entry => {
    const expected = Object.entries(isRecord(entry) ? deriveFields(entry) : {})
    const wrong = expected.filter(([name, value]) => entry[name] !== value)
    const mismatches = wrong.map(([name]) => `${name} is ${formatValue(entry[name])}`)
    return [...mismatches, ...findWrongLinks(entry)].map(mismatch => `${entry['symbol']}: ${mismatch}`)
  })
}

/** Derives fields of a record from others. */
function deriveFields(record: Fields): Fields {
  const { observedAt, readAt, latestRoundDataReverts: reverts, servesLatestRoundData: serves } = record
  const servesLatestRoundData = reverts === undefined ? serves : false
  if (observedAt === null) return { servesLatestRoundData, observedAtIso: null, ageSeconds: null }
  const observedAtMs = Number(observedAt) * 1_000
  return {
    servesLatestRoundData,
    observedAtIso: new Date(observedAtMs).toJSON(),
    ageSeconds: `${Math.max(0, Math.floor((Date.parse(`${readAt}`) - observedAtMs) / 1_000))}`,
  }
}

function findWrongLinks(entry: Fields): readonly string[] {
  const explorer = fieldsOf(entry['explorer'])
  const wrong = ['feed', 'token'].filter(name => !String(explorer[name]).endsWith(`/address/${entry[name]}`))
  return wrong.map(name => `explorer.${name} is ${formatValue(explorer[name])}`)
}

/** Lists the entries of a list; or a price as the only one. */
function listEntries(reply: Reply): readonly Fields[] {
  return 'feeds' in reply.fields ? entriesOf(reply) : [reply.fields]
}

/** Numbers without exponent and needless zeros, with the decimals of a feed and of a multiplier. */
const forms = {
  sharePrice: /^(0|[1-9]\d*)(\.\d{0,7}[1-9])?$/,
  multiplier: /^(0|[1-9]\d*)(\.\d{0,17}[1-9])?$/,
}

/** Finds numbers that are not exact. `answerRaw` proves the price; of the others the form is checked. */
export function findInexactNumbers(reply: Reply): readonly string[] {
  const records = listEntries(reply).filter(isRecord)
  const mismatches = records.flatMap(record => {
    const { symbol, price, answerRaw } = record
    const wrong = Object.entries(forms).filter(([name, form]) => record[name] !== null && !form.test(`${record[name]}`))
    return [
      ...(price === scale(`${answerRaw}`) ? [] : [`${symbol}: price is ${price}, answerRaw ${formatValue(answerRaw)}`]),
      ...wrong.map(([name]) => `${symbol}: ${name} is ${formatValue(record[name])}`),
    ]
  })
  return [...mismatches, ...findRounding(records.map(({ multiplier }) => `${multiplier}`))]
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
function findRounding(multipliers: readonly string[]): readonly string[] {
  const countDigits = (text: string) => text.replace('.', '').replace(/^0+/, '').length
  const long = [...new Set(multipliers)].filter(text => countDigits(text) >= 15)
  const isRounded = long.length >= 2 && long.every(text => countDigits(text) <= 17)
  return isRounded ? [`the multipliers have the digits of doubles: ${long.slice(0, 2).join(', ')}`] : []
}
