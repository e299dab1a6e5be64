import fc from 'fast-check'
import { expect, test } from 'vitest'
import { indentJson } from '../../../pages/reference/indent-json.ts'
import { toRuns } from '../../support/fuzz/runs.ts'

test('a JSON text is indented as by JSON.stringify, however it was indented before', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
      expect(indentJson(JSON.stringify(value, null, indent))).toBe(JSON.stringify(value, null, 2))
    }),
    toRuns(500),
  )
})

test('every digit of a number stays as it is', () => {
  expect(indentJson('{"multiplier":1.000566080061092436,"price":1.50,"none":[ ]}')).toBe(
    '{\n  "multiplier": 1.000566080061092436,\n  "price": 1.50,\n  "none": []\n}',
  )
})
