import { z } from 'zod'
import { about } from '../about.ts'
// This import registers the schemas of all bodies.
import './list.ts'
import { type Network, networkFacts, networks } from '../networks.ts'
import { type Header, type Headers, listProblems, type ProblemResponse, priceHeaders } from '../responses.ts'
import { type PriceRoute, parameters, priceRoutes } from '../routes.ts'

/** Stands in the description for the base URL of a deployment. */
export const exampleBaseUrl = 'https://prices.example/v1'

/** An example of each body, with its summary. */
export type Examples = Readonly<Record<PriceRoute['body'], { readonly summary: string; readonly value: object }>>

/**
 * Creates the description of the API.
 *
 * It is of version 3.1.0, because some generators of clients refuse 3.1.1.
 *
 * @see https://spec.openapis.org/oas/v3.1.0.html
 */
export function createDescription(examples: Partial<Examples>) {
  return {
    openapi: '3.1.0',
    info: about,
    servers: [{ url: exampleBaseUrl, description: 'The base URL of this deployment.' }],
    security: [],
    tags: [{ name: 'prices', description: 'The price feeds.' }],
    paths: Object.fromEntries(
      priceRoutes.map(route => [route.path, { get: toOperation(route, examples[route.body]) }]),
    ),
    components: {
      parameters: Object.fromEntries(Object.entries(parameters).map(([name, row]) => [name, { name, ...row }])),
      headers: createHeaders(),
      schemas: createSchemas(),
    },
  }
}

/** It is in the description of each operation, because tools for agents do not take that of the API. */
const rule =
  'For inspection only: use a `price` only if `servesLatestRoundData` is true, `price` is not null, and `chainId` is ' +
  `that of the network that you mean: ${networks.map(formatChainId).join(', ')}.`

function formatChainId(network: Network): string {
  return `${networkFacts[network].chain.id} for the ${network}`
}

function toOperation(route: PriceRoute, example: Examples[PriceRoute['body']] | undefined) {
  const { operationId, summary } = route
  const content = {
    'application/json': { schema: toReference('schemas', route.body), examples: { 'example-1': example } },
  }
  const byStatus = Map.groupBy(listProblems(route), ({ status }) => status)
  const problems = [...byStatus].map(([status, ofStatus]) => [status, toProblemResponse(ofStatus)])
  const headers = toHeaders([priceHeaders])
  return {
    tags: ['prices'],
    operationId,
    summary,
    description: `${route.description} ${rule}`,
    responses: { '200': { description: summary, headers, content }, ...Object.fromEntries(problems) },
    parameters: route.parameters.map(name => toReference('parameters', name)),
  }
}

function toProblemResponse(ofStatus: readonly ProblemResponse[]) {
  return {
    description: `Type: ${[...new Set(ofStatus.map(({ slug }) => `\`${slug}\``))].join(' or ')}.`,
    headers: toHeaders(ofStatus.map(({ headers }) => headers)),
    content: {
      'application/problem+json': {
        schema: toReference('schemas', 'Problem'),
        examples: Object.fromEntries(ofStatus.map(({ slug, body }) => [slug, { value: body }])),
      },
    },
  }
}

/** Refers to the headers of the responses of one status, which all have the same headers. */
function toHeaders(responses: readonly Headers[]) {
  const headers = responses.flatMap(Object.entries<Header>)
  return Object.fromEntries(headers.map(([name, { component }]) => [name, toReference('headers', component)]))
}

function createHeaders() {
  const problems = priceRoutes.flatMap(listProblems)
  const all = [priceHeaders, ...problems.map(({ headers }) => headers)].flatMap(Object.values<Header>)
  return Object.fromEntries(
    all.map(({ component, description, value, example }) => [
      component,
      { description, required: true, schema: toHeaderSchema(value), ...(example !== undefined && { example }) },
    ]),
  )
}

function toHeaderSchema(value: Header['value']) {
  if (value instanceof RegExp) return { type: 'string', pattern: value.source }
  return { type: typeof value === 'number' ? 'integer' : 'string', const: value }
}

function toReference(kind: 'headers' | 'parameters' | 'schemas', name: string) {
  return { $ref: `#/components/${kind}/${name}` }
}

/** Converts every schema with an id to a component. */
function createSchemas() {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { ...conversion, uri: id => toReference('schemas', id).$ref })
  for (const schema of Object.values(schemas)) {
    delete schema.$id
    delete schema.$schema
  }
  return schemas
}

/** Converts a schema to JSON Schema. A schema with an id is a definition in what zod returns. */
export function toJsonSchema(schema: z.core.$ZodType): z.core.JSONSchema.BaseSchema {
  const { id = '' } = z.globalRegistry.get(schema) ?? {}
  const converted = z.toJSONSchema(schema, conversion)
  return converted.$defs?.[id] ?? converted
}

/**
 * How schemas are converted: without `additionalProperties`, because fields may be added within `v1` (D30); without the
 * maximum that zod gives to each integer, which is no limit of the API; and with a nullable type as one type, which
 * makes the types of generated clients shorter.
 */
const conversion: z.core.ToJSONSchemaParams = {
  override: ({ jsonSchema }) => {
    delete jsonSchema.additionalProperties
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    const [type, alternative] = jsonSchema.anyOf ?? []
    if (type?.type === undefined || alternative?.type !== 'null') return
    delete jsonSchema.anyOf
    Object.assign(jsonSchema, type, { type: [type.type, 'null'].flat() })
  },
}
