import { readFileSync } from 'node:fs'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { readOpenApiDocument } from '../../infra/api/openapi-document.ts'
import { feedStatuses } from '../../lambda/feeds/price-record.ts'
import { networkFacts, networks } from '../../lambda/networks.ts'
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

/** Keywords without an effect on the type. */
const withoutType = new Set(['description', 'pattern', 'format'])

const chains = networks.map(network => networkFacts[network].chain)
const ofNetworks = [chains.map(({ name }) => name), chains.map(({ id }) => id)].map(values => JSON.stringify(values))

/** Whether a value is the list of all networks' names or chain ids, which would have to be written again with each network. */
const isOfNetworks = (value: unknown) => ofNetworks.includes(JSON.stringify(value))

// A literal, one schema per line, because the compiler derives types from literals only.
test('test/support/contract/schemas.ts is up to date; if not: npx vitest run test/contract/openapi.test.ts -u', async () => {
  const lines = Object.entries(allSchemas).map(
    ([name, schema]) =>
      `  ${name}: ${JSON.stringify(schema, (key, value) => (withoutType.has(key) || isOfNetworks(value) ? undefined : value))},`,
  )
  const text = [
    '// biome-ignore-all format: written by test/contract/openapi.test.ts',
    '',
    '/** The schemas of openapi.yaml, for the compiler. */',
    'export const schemas = {',
    ...lines,
    '} as const',
    '',
  ].join('\n')
  await expect(text).toMatchFileSnapshot('../support/contract/schemas.ts')
})
