import { readFileSync } from 'node:fs'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { feedStatuses } from '../../lambda/feeds/price-record.ts'
import { networks } from '../../lambda/feeds/registry.ts'
import { description, documentPath, documentText } from './document.ts'
import { schemasPath, toSchemasText } from './write-schemas.ts'

test('openapi.yaml lints clean, by the strictest rules of a linter that others keep', async () => {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      // The project is private and licensed to nobody, and OpenAPI has no word for that.
      'info-license': 'off',
      'info-license-strict': 'off',
      // It does not look into what begins with x-; the test below does.
      'no-unused-components': 'off',
      'operation-4xx-problem-details-rfc7807': 'error',
      'operation-description': 'error',
      'operation-tag-defined': 'error',
      'parameter-description': 'error',
      'spec-strict-refs': 'error',
    },
  })
  const found = await lintFromString({ source: documentText, absoluteRef: documentPath, config })
  expect(found.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
})

test('every component is used', () => {
  const names = Object.entries(description.components).flatMap(([kind, all]) =>
    Object.keys(all).map(name => `#/components/${kind}/${name}`),
  )
  expect(names.filter(name => !documentText.includes(`'${name}'`))).toEqual([])
})

test('the seven statuses are the contract’s, each with a sentence and whether the feed serves it (D12)', () => {
  const { enum: labels, description: words } = description.components.schemas['FeedStatus'] ?? {}
  expect(labels).toEqual(feedStatuses)
  const sentences = String(words).split('\n- ').slice(1)
  const described = sentences.map(
    sentence => /^`([^`]+)`: .+(The\s+feed\s+serves\s+it|Not\s+served)\b/s.exec(sentence)?.[1],
  )
  expect(described).toEqual(feedStatuses)
})

test('the parameter network takes the networks that are served (D6)', () => {
  expect(description.components.parameters['Network']?.schema['enum']).toEqual(networks)
})

test('every field has a description', () => {
  for (const [name, schema] of Object.entries(description.components.schemas)) {
    expect(schema['description'], name).toMatch(/\.(\s|$)/)
    if (schema['properties'] === undefined || String(schema['required']).startsWith('type,')) continue
    for (const [field, { description: words }] of Object.entries<{ description?: string }>(
      Object(schema['properties']),
    )) {
      expect(words, `${name}.${field}`).toMatch(/\.(\s|$)/)
    }
  }
})

test('the schemas that the compiler reads are those of openapi.yaml; if not: npx node test/contract/write-schemas.ts', () => {
  expect(readFileSync(schemasPath, 'utf8')).toBe(toSchemasText())
})
