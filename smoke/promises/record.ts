import { type Network, statuses } from '../contract.ts'
import { digitsOf, fieldsOf, findFieldFaults, formatJson, type Json, type JsonObject } from '../json.ts'

/** Says where a feed price record differs from the specification: its fields, their order, their forms. */
export function findRecordFaults(record: JsonObject, network: Network): readonly string[] {
  const names = forms.map(([name]) => name)
  const expected = names.filter(name => name !== 'latestRoundDataReverts' || record.has(name))
  const malformed = forms.filter(([name, isRight]) => record.has(name) && !isRight(record.get(name) ?? null, network))
  return [
    ...findFieldFaults(record, expected),
    ...malformed.map(([name]) => `${name} is ${formatJson(record.get(name))}`),
    ...findContradictions(record),
  ]
}

/** Says where the links of an entry differ from its addresses. */
export function findExplorerFaults(record: JsonObject): readonly string[] {
  const explorer = fieldsOf(record.get('explorer'))
  const wrong = ['feed', 'token'].filter(name => {
    const link = explorer.get(name)
    return typeof link !== 'string' || !URL.canParse(link) || !link.endsWith(`/address/${record.get(name)}`)
  })
  return wrong.map(name => `explorer.${name} is ${formatJson(explorer.get(name))}`)
}

type IsRight = (value: Json, network: Network) => boolean

const isText: IsRight = value => typeof value === 'string' && value !== ''
const isWhole: IsRight = value => /^\d+$/.test(digitsOf(value) ?? '')
const isNumber: IsRight = value => digitsOf(value) !== undefined
const isAddress: IsRight = value => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)
const isMoment: IsRight = value => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)
const orNull =
  (isRight: IsRight): IsRight =>
  (value, network) =>
    value === null || isRight(value, network)

/** Every field and its form, in the specification's order. */
const forms: readonly (readonly [string, IsRight])[] = [
  ['symbol', isText],
  ['network', (value, { name }) => value === name],
  ['chainId', (value, { chainId }) => digitsOf(value) === chainId],
  ['status', value => statuses.includes(value)],
  ['servesLatestRoundData', value => typeof value === 'boolean'],
  ['latestRoundDataReverts', isText],
  ['price', orNull(isNumber)],
  ['sharePrice', orNull(isNumber)],
  ['multiplier', orNull(isNumber)],
  ['observedAt', orNull(isWhole)],
  ['observedAtIso', orNull(isMoment)],
  ['ageSeconds', orNull(isWhole)],
  ['answerRaw', value => typeof value === 'string' && /^-?\d+$/.test(value)],
  ['decimals', value => digitsOf(value) === '8'],
  ['feed', isAddress],
  ['token', isAddress],
  ['explorer', value => value instanceof Map],
  ['block', isWhole],
  ['readAt', isMoment],
]

function findContradictions(record: JsonObject): readonly string[] {
  const observedAt = digitsOf(record.get('observedAt'))
  const iso = record.get('observedAtIso')
  const age = digitsOf(record.get('ageSeconds'))
  const faults = [...findExplorerFaults(record)]
  if (record.has('latestRoundDataReverts') && record.get('servesLatestRoundData') !== false) {
    faults.push('latestRoundDataReverts stands beside servesLatestRoundData')
  }
  if (observedAt === undefined) {
    if (iso !== null || age !== undefined) faults.push('observedAtIso or ageSeconds is there without observedAt')
    return faults
  }
  if (Date.parse(String(iso)) !== Number(observedAt) * 1_000) faults.push(`observedAtIso is not ${observedAt}`)
  const readAt = Math.floor(Date.parse(String(record.get('readAt'))) / 1_000)
  const elapsed = Math.max(0, readAt - Number(observedAt))
  if (Number(age) !== elapsed) faults.push(`ageSeconds is ${age}, and readAt is ${elapsed} s after observedAt`)
  return faults
}
