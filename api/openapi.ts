import { z } from 'zod'
import { about } from './about.ts'
// Registers the schemas of all bodies.
import './record.ts'
import {
  documentHeaders,
  type Header,
  listProblems,
  type ProblemResponse,
  pageHeaders,
  priceHeaders,
} from './responses.ts'
import { type DocumentRoute, documentRoutes, type PriceRoute, parameters, priceRoutes } from './routes.ts'

/** Stands in the description for the base URL of a deployment. */
export const exampleBaseUrl = 'https://prices.example/v1'

/** Examples of the bodies of successes, by schema and summary. */
export type Examples = Readonly<Record<PriceRoute['success'], Readonly<Record<string, object>>>>

/**
 * Creates the description of the API.
 *
 * @see https://spec.openapis.org/oas/v3.1.1.html
 */
export function createDescription(examples: Examples) {
  return {
    openapi: '3.1.1',
    info: about,
    servers: [{ url: exampleBaseUrl, description: 'The base URL of this deployment.' }],
    security: [],
    tags: [
      { name: 'prices', description: 'The price feeds.' },
      { name: 'pages', description: 'Documentation.' },
    ],
    paths: Object.fromEntries([
      ...priceRoutes.map(route => [route.path, { get: toPriceOperation(route, examples[route.success]) }]),
      ...documentRoutes.map(route => [route.path, { get: toDocumentOperation(route) }]),
    ]),
    components: {
      parameters: Object.fromEntries(Object.entries(parameters).map(([name, row]) => [name, { name, ...row }])),
      headers: createHeaders(),
      schemas: createSchemas(),
    },
  }
}

function toPriceOperation(route: PriceRoute, examples: Examples[PriceRoute['success']]) {
  const content = {
    'application/json': {
      schema: toReference('schemas', route.success),
      examples: Object.fromEntries(
        Object.entries(examples).map(([summary, value], index) => [`example-${index + 1}`, { summary, value }]),
      ),
    },
  }
  return {
    tags: ['prices'],
    ...toCommon(route),
    parameters: route.parameters.map(name => toReference('parameters', name)),
    responses: {
      '200': { description: route.summary, headers: toHeaders(priceHeaders), content },
      ...toProblems(route),
    },
  }
}

function toDocumentOperation(route: DocumentRoute) {
  const isPage = route.document !== 'description'
  const content = isPage
    ? { 'text/html': { schema: { type: 'string' } } }
    : { 'application/json': { schema: { type: 'object' } } }
  const headers = toHeaders(isPage ? pageHeaders : documentHeaders)
  return {
    tags: ['pages'],
    ...toCommon(route),
    responses: { '200': { description: route.summary, headers, content }, ...toProblems(route) },
  }
}

function toCommon({ operationId, summary, description }: PriceRoute | DocumentRoute) {
  return { operationId, summary, description }
}

/** Groups the problems of a route by status. */
function toProblems(route: PriceRoute | DocumentRoute) {
  const byStatus = Map.groupBy(listProblems(route), ({ status }) => status)
  return Object.fromEntries([...byStatus].map(([status, some]) => [status, toProblemResponse(some)]))
}

function toProblemResponse(some: readonly ProblemResponse[]) {
  return {
    description: `Type: ${[...new Set(some.map(({ slug }) => `\`${slug}\``))].join(' or ')}.`,
    headers: toHeaders(Object.assign({}, ...some.map(({ headers }) => headers))),
    content: {
      'application/problem+json': {
        schema: toReference('schemas', 'Problem'),
        examples: Object.fromEntries(some.map(({ slug, body }) => [slug, { value: body }])),
      },
    },
  }
}

function toHeaders(headers: Readonly<Record<string, Header>>) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, { component }]) => [name, toReference('headers', component)]),
  )
}

/** Collects the headers of all responses. */
function createHeaders() {
  const problems = [...priceRoutes, ...documentRoutes].flatMap(listProblems)
  const all = [priceHeaders, pageHeaders, ...problems.map(({ headers }) => headers)].flatMap(Object.values<Header>)
  return Object.fromEntries(
    all.map(({ component, description, value, example }) => [
      component,
      { description, required: true, schema: toHeaderSchema(value), ...(example !== undefined && { example }) },
    ]),
  )
}

/** Returns the schema of a header. */
export function toHeaderSchema(value: Header['value']) {
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

/** Within `v1`, fields may be added (D30). A type or null is one type, for shorter types in generated clients. */
const conversion: z.core.ToJSONSchemaParams = {
  override: ({ jsonSchema }) => {
    delete jsonSchema.additionalProperties
    const [one, other] = jsonSchema.anyOf ?? []
    if (one?.type === undefined || other?.type !== 'null') return
    delete jsonSchema.anyOf
    Object.assign(jsonSchema, one, { type: [one.type, 'null'].flat() })
  },
}
