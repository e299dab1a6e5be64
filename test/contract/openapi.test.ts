import { readFileSync } from 'node:fs'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { readOpenApiDocument } from '../../infra/api/openapi-document.ts'
import { feedStatuses } from '../../lambda/feeds/price-record.ts'
import { allSchemas } from '../support/contract/document.ts'

test('openapi.json has no findings by the strictest rules of Redocly', async () => {
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
  const source = readOpenApiDocument()
  const found = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  expect(found.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
})

test('no reference points into a schema, and no status is a class: not every generator of clients takes them', () => {
  expect(readFileSync('openapi.yaml', 'utf8').match(/\/properties\/|\b[1-5]XX\b/g)).toBeNull()
})

test('each of the seven statuses is documented, with whether the feed serves (D12)', () => {
  const { enum: labels, description: words } = allSchemas['FeedStatus'] ?? {}
  expect(labels).toEqual(feedStatuses)
  const sentences = String(words).split('\n- ').slice(1)
  const described = sentences.map(
    sentence => /^`([^`]+)`: .+(The\s+feed\s+serves\s+it|Not\s+served)\b/s.exec(sentence)?.[1],
  )
  expect(described.toSorted()).toEqual(feedStatuses.toSorted())
})

test('every field has a description', () => {
  for (const [name, schema] of Object.entries(allSchemas)) {
    expect(schema['description'], name).toMatch(/\.(\s|$)/)
    if (schema['properties'] === undefined || String(schema['required']).startsWith('type,')) continue
    for (const [field, { description: words }] of Object.entries<{ description?: string }>(
      Object(schema['properties']),
    )) {
      expect(words, `${name}.${field}`).toMatch(/\.(\s|$)/)
    }
  }
})
