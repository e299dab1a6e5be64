import { expect, test } from 'vitest'
import { buildReference } from '../../pages/build.ts'
import { createExamples } from '../../pages/examples.ts'

test('the page /docs has the parts that the code writes, not the former ones of docs/api.md', () => {
  const examples = createExamples()
  const PriceRecord = { ...examples.PriceRecord, value: { symbol: 'CHANGED' } }
  expect(buildReference('/v1', examples).html).not.toContain('CHANGED')
  expect(buildReference('/v1', { ...examples, PriceRecord }).html).toContain('CHANGED')
})
