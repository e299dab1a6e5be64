import { readOpenApiDocument } from '../../../infra/api/openapi-document.ts'
import { dereference } from '../../../smoke/validator.ts'

/** A JSON Schema. */
type Schema = Readonly<Record<string, unknown>>

/** A Media Type Object. */
interface MediaType {
  readonly schema: Schema
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

/** A Response Object. */
interface Response {
  readonly headers: Readonly<Record<string, { readonly schema: Schema }>>
  readonly content?: Readonly<Record<string, MediaType>>
}

/** Responses by status. */
type Responses = Readonly<Record<string, Response>>

/** The description with its references resolved. */
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Responses }>>>>
  readonly 'x-preflight': { readonly responses: Responses & { readonly 204: Response } }
  readonly 'x-elsewhere': { readonly responses: Responses & { readonly 404: Response } }
  readonly components: {
    readonly parameters: Readonly<Record<string, { readonly schema: Schema }>>
    readonly responses: Responses
    readonly schemas: Readonly<Record<string, Schema>>
  }
}

/** The API's description. References to the same place are the same object. */
export const description = dereference(JSON.parse(readOpenApiDocument())) as Description

const { components, 'x-preflight': preflight, 'x-elsewhere': elsewhere } = description
const unknownRoute = elsewhere.responses[404]

/** The responses that are components, and those that only preflights and other paths have. */
export const allResponses: Responses = {
  ...components.responses,
  Preflight: preflight.responses[204],
  UnknownRoute: unknownRoute,
}

/** The schemas that are components, and that of unknown routes. */
export const allSchemas: Readonly<Record<string, Schema>> = {
  ...components.schemas,
  UnknownRoute: unknownRoute.content?.['application/problem+json']?.schema ?? {},
}

/** Every example of every response. */
export const allExamples = Object.entries(allResponses).flatMap(([response, { content = {} }]) =>
  Object.values(content).flatMap(({ schema, examples = {} }) =>
    Object.entries(examples).map(([name, { value }]) => ({ response, schema, name, value })),
  ),
)
