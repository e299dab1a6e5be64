import { readFileSync } from 'node:fs'
import { readOpenApiDocument } from '../../infra/api/openapi-document.ts'
import { dereference } from '../../smoke/validator.ts'

/** The path of the API's description. */
export const documentPath = 'openapi.yaml'

/** The text of the description. */
export const documentText = readFileSync(documentPath, 'utf8')

/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>

/** A Header Object. */
interface Header {
  readonly required?: boolean
  readonly schema: Schema
}

/** A Media Type Object. */
interface MediaType {
  readonly schema: Schema
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

/** A Response Object. */
interface Response {
  readonly headers: Readonly<Record<string, Header>>
  readonly content?: Readonly<Record<string, MediaType>>
}

/** Responses by status. */
export type Responses = Readonly<Record<string, Response>>

/** The description with its references resolved. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Responses }>>>>
  readonly 'x-preflight': { readonly responses: Responses & { readonly 204: Response } }
  readonly 'x-elsewhere': { readonly responses: Responses & { readonly 404: Response } }
  readonly components: {
    readonly parameters: Readonly<Record<string, { readonly schema: Schema }>>
    readonly headers: Readonly<Record<string, Header>>
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
