import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { listProblems, problemExamples } from '../../../api/responses.ts'
import { priceRoutes } from '../../../api/routes.ts'
import { createDescription } from '../../../api/schemas/openapi.ts'
import { createExamples } from '../../../pages/examples.ts'

const description = createDescription(createExamples())
const source = `${JSON.stringify(description, null, 2)}\n`

test('api/openapi.json is the description; if not: npx vitest run --project modules test/api -u', async () => {
  await expect(source).toMatchFileSnapshot('../../../api/openapi.json')
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

// Tools for agents take the description of an operation, and not that of the API.
test('the description of each operation has the rule for the use of a price', () => {
  const rule =
    'For inspection only: use a `price` only if `servesLatestRoundData` is true, `price` is not null, and `chainId` is ' +
    'that of the network that you mean: 4663 for the mainnet, 46630 for the testnet.'
  const descriptions = Object.values(description.paths).map(({ get }) => get.description)
  expect(descriptions).toEqual([expect.stringContaining(rule), expect.stringContaining(rule)])
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

test('every pattern is of the subset that RE2 compiles: no backreference and no lookaround', () => {
  const patterns = [...source.matchAll(/"pattern": (".*")/g)].map(([, text = '']) => String(JSON.parse(text)))
  expect(patterns.length).toBeGreaterThan(3)
  expect(patterns.filter(pattern => /\\[1-9cku]|\(\?[^:]/.test(pattern))).toEqual([])
})

test('a client that is generated from the description accepts a problem of a later type (D30)', () => {
  const { Problem } = JSON.parse(source).components.schemas
  const generated = z.fromJSONSchema(Problem)
  const accepts = (type: string) => generated.safeParse({ ...problemExamples[0]?.body, type }).success
  expect(accepts('urn:problem-type:price-lookup:added-later')).toBe(true)
  expect(accepts('Added later')).toBe(false)
})

test('the list of problems has each of them with every status of its responses', () => {
  const { paths, components } = JSON.parse(source)
  const rows: RegExpExecArray[] = [...components.schemas.Problem.description.matchAll(/^- `([a-z-]+)` \((.+?)\): /gm)]
  const listed = rows.flatMap(([, slug, statuses = '']) => statuses.split(', ').map(status => `${slug} ${status}`))
  const operations = Object.values<{ get: { responses: object } }>(paths)
  const sent = operations.flatMap(({ get: { responses } }) =>
    Object.entries(responses).flatMap(([status, { content }]) =>
      Object.keys(content['application/problem+json']?.examples ?? {}).map(slug => `${slug} ${status}`),
    ),
  )
  const ofFunctionsAndGateway = new Set(sent.filter(response => !response.startsWith('about:blank')))
  // The paths and methods with this problem are those that the description does not have.
  expect(listed.toSorted()).toEqual([...ofFunctionsAndGateway, 'unknown-route 404'].toSorted())
})

test('the problems of one status have the same headers, as they are described', () => {
  for (const route of priceRoutes) {
    const byStatus = Map.groupBy(listProblems(route), ({ status }) => status)
    for (const [first, ...others] of byStatus.values())
      for (const { headers } of others) expect(headers).toEqual(first?.headers)
  }
})
