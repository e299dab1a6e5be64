import { expect, test } from 'vitest'
import { fieldsOf, parseJson } from '../../../smoke/json.ts'
import { checkNumbers, findNumberFaults } from '../../../smoke/promises/numbers.ts'

const record = (text: string) => fieldsOf(parseJson(text))
const rest = '"sharePrice":269.975,"multiplier":1.000566080061092436'

test.each([
  ['1079.9', '107990000000'],
  ['1', '100000000'],
  ['0.00000001', '1'],
  ['90071992547409.93000001', '9007199254740993000001'],
  ['null', '0'],
  ['null', '-5'],
])('price %s is answerRaw %s', (price, answerRaw) => {
  expect(findNumberFaults(record(`{"price":${price},"answerRaw":"${answerRaw}",${rest}}`))).toEqual([])
})

test.each(['1079.90', '1.0799e3', '1079.9000000001', '1080', 'null', '"1079.9"'])(
  'price %s is not 107990000000',
  price => {
    expect(findNumberFaults(record(`{"price":${price},"answerRaw":"107990000000",${rest}}`))).toHaveLength(1)
  },
)

test.each(['1.0', '1e0', '0', '-1', '1.0005660800610924361'])('no multiplier is written %s', multiplier => {
  const text = `{"price":1,"answerRaw":"100000000","sharePrice":1,"multiplier":${multiplier}}`
  expect(findNumberFaults(record(text))).toEqual([`multiplier is written ${multiplier}`])
})

const verdictOf = (...multipliers: string[]) =>
  checkNumbers(
    'exact',
    multipliers.map(digits => ({
      name: 'X',
      record: record(`{"price":1,"answerRaw":"100000000","sharePrice":1,"multiplier":${digits}}`),
    })),
  ).verdict

test('multipliers that all have the digits of doubles are rounded', () => {
  expect(verdictOf('1.0005660800610924', '1.0019027713403381', '4')).toBe('BROKEN')
  expect(verdictOf('1.0005660800610924', '1.001902771340338117')).toBe('ok')
})

test('short multipliers are what they are, and so is a single long one', () => {
  expect(verdictOf('4', '10', '1.0005')).toBe('ok')
  expect(verdictOf('1.0005660800610924', '4')).toBe('ok')
})
