import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { createDescription } from '../../api/openapi.ts'
import { createExamples } from '../../infra/api/examples.ts'

const description = createDescription(createExamples())
const source = `${JSON.stringify(description, null, 2)}\n`

test('api/openapi.json is the description; if not: npx vitest run test/api/openapi.test.ts -u', async () => {
  await expect(source).toMatchFileSnapshot('../../api/openapi.json')
})

test('the description has no findings by the strictest rules of Redocly', async () => {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      // The project is private and unlicensed, which OpenAPI cannot express.
      'info-license': 'off',
      'info-license-strict': 'off',
      'operation-4xx-problem-details-rfc7807': 'error',
      'operation-description': 'error',
      'operation-tag-defined': 'error',
      'parameter-description': 'error',
      'spec-strict-refs': 'error',
    },
  })
  const found = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  expect(found.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
})

test('no reference points into a schema, and no status is a class: not every generator of clients takes them', () => {
  expect(source.match(/\/properties\/|\b[1-5]XX\b/g)).toBeNull()
})

test('a later field is no error for clients (D30)', () => {
  expect(source).not.toContain('additionalProperties')
})

test('every field has a description', () => {
  for (const [name, { description: words, properties = {} }] of Object.entries(description.components.schemas)) {
    expect(words, name).toMatch(/\.(\s|$)/)
    for (const [field, schema] of Object.entries(properties)) {
      if (typeof schema === 'object' && schema.$ref === undefined)
        expect(schema.description, `${name}.${field}`).toMatch(/\.(\s|$)/)
    }
  }
})
