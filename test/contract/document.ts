import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** Where the API is described. */
export const documentPath = 'openapi.yaml'

/** The description as it is written. */
export const documentText = readFileSync(documentPath, 'utf8')

/** A JSON Schema, as far as it is not the validator's business. */
export type Schema = Readonly<Record<string, unknown>>

/** A Header Object. */
export interface Header {
  readonly required?: boolean
  readonly schema: Schema
}

/** A Media Type Object. */
interface MediaType {
  readonly schema: Schema
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

/** A Response Object. */
export interface Response {
  readonly headers: Readonly<Record<string, Header>>
  readonly content?: Readonly<Record<string, MediaType>>
}

/** What may be answered, by status: `404`, or `4XX` for all that are not named. */
export type Responses = Readonly<Record<string, Response>>

/** The description, its references resolved. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Responses }>>>>
  readonly 'x-preflight': { readonly responses: Responses }
  readonly 'x-elsewhere': { readonly responses: Responses }
  readonly components: {
    readonly parameters: Readonly<Record<string, { readonly schema: Schema }>>
    readonly headers: Readonly<Record<string, Header>>
    readonly responses: Responses
    readonly schemas: Readonly<Record<string, Schema>>
  }
}

/** The API's description. What several references point to is one object. */
export const description = resolveReferences(parse(documentText)) as Description

/**
 * Puts in the place of every reference what it points to.
 *
 * @throws {Error} when one points to nothing, or stands beside other words, which a resolver could only drop.
 */
function resolveReferences(root: unknown): unknown {
  const resolved = new Map<unknown, unknown>()
  return resolve(root)

  function resolve(node: unknown): unknown {
    if (typeof node !== 'object' || node === null) return node
    if (!resolved.has(node)) resolved.set(node, resolveObject(node))
    return resolved.get(node)
  }

  function resolveObject(node: object): unknown {
    if (Array.isArray(node)) return node.map(resolve)
    if ('$ref' in node) {
      if (Object.keys(node).length > 1) throw new Error(`${node.$ref} has other words beside it`)
      return resolve(find(root, String(node.$ref)))
    }
    return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, resolve(value)]))
  }
}

function find(root: unknown, reference: string): unknown {
  const [document, ...names] = reference.split('/')
  const found = names.reduce<unknown>((node, name) => Object(node)[name], root)
  if (document !== '#' || found === undefined) throw new Error(`${reference} points to nothing`)
  return found
}
