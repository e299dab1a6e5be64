import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { fieldsOf, parseJson, type Reply } from './client.ts'

/** A reply of any client. */
export type Received = Pick<Reply, 'method' | 'path' | 'status' | 'headers' | 'text'>

/** Lists in what a value differs from a schema of the document; at most one. */
type Validate = (schema: unknown, value: unknown, name: string) => readonly string[]

/**
 * Creates what compares replies with an OpenAPI document: their status, headers, media type and body.
 *
 * @param document without references
 * @example
 * createValidator(dereference(await response.json())).findMismatches(reply) // ['body/price must be number,null']
 */
export function createValidator(document: unknown) {
  const ajv = new Ajv2020({ strict: false, logger: false, formats: { decimal: true } })
  addFormats.default(ajv)
  const allHeaders = listHeaders(document)
  const validate: Validate = (schema, value, name) => {
    if (ajv.validate(fieldsOf(schema), value)) return []
    return (ajv.errors ?? []).slice(0, 1).map(error => `${name}${formatError(error)}`)
  }
  return {
    validate,
    findMismatches(reply: Received): readonly string[] {
      const responses = findResponses(document, reply)
      const response = responses[String(reply.status)]
      if (response === undefined) return [`the described statuses are ${Object.keys(responses).join(', ')}`]
      return [
        ...findHeaderMismatches(response, reply, allHeaders, validate),
        ...findBodyMismatches(response, reply, validate),
      ]
    },
  }
}

function findHeaderMismatches(
  response: unknown,
  { headers }: Received,
  allHeaders: readonly string[],
  validate: Validate,
): readonly string[] {
  const described = Object.entries(fieldsOf(find(response, 'headers')))
  const mismatches = described.flatMap(([name, header]) => {
    const text = headers.get(name)
    const schema = find(header, 'schema')
    if (text === null) return [`${name} is missing`]
    return validate(schema, find(schema, 'type') === 'integer' ? Number(text) : text, name)
  })
  const names = described.map(([name]) => name)
  const others = allHeaders.filter(name => !names.includes(name) && headers.has(name))
  return [...mismatches, ...others.map(name => `${name} is not described`)]
}

function findBodyMismatches(
  response: unknown,
  { method, status, headers, text }: Received,
  validate: Validate,
): readonly string[] {
  if (method === 'HEAD' || !('content' in fieldsOf(response))) return text === '' ? [] : ['the body is not empty']
  const mediaType = headers.get('content-type')?.replace(/;.*/s, '').trim().toLowerCase() ?? ''
  const schema = find(response, 'content', mediaType, 'schema')
  if (schema === undefined) return [`not described as ${mediaType || 'without a media type'}`]
  if (!mediaType.endsWith('json')) return validate(schema, text, 'body')
  const json = parseJson(text)
  if (json === undefined) return ['the body is no JSON']
  // @see https://www.rfc-editor.org/rfc/rfc9457#section-3.1.2
  const stated = mediaType === 'application/problem+json' ? find(json, 'status') : undefined
  const isOfStatus = stated === undefined || stated === status
  return [...validate(schema, json, 'body'), ...(isOfStatus ? [] : [`the status in the body is ${String(stated)}`])]
}

function formatError({ instancePath, message, params }: ErrorObject): string {
  const { additionalProperty: name } = fieldsOf(params)
  return `${instancePath} ${message}${name === undefined ? '' : ` (${String(name)})`}`
}

/** Returns the path of the description that a path matches. A trailing slash is ignored. */
export function toTemplate(path: string): string {
  const place = path.replace(/\?.*$/s, '').replace(/(?<=[^/])\/$/, '')
  return place.replace(/^\/price\/[^/]+$/, '/price/{symbol}') || '/'
}

/** Finds the responses that describe a reply: those of its operation, of preflights, or of what the API does not have. */
function findResponses(document: unknown, { method, path }: Received) {
  const elsewhere = fieldsOf(find(document, 'x-elsewhere', 'responses'))
  const operations = find(document, 'paths', toTemplate(path))
  if (operations === undefined) return elsewhere
  if (method === 'OPTIONS') return { ...elsewhere, ...fieldsOf(find(document, 'x-preflight', 'responses')) }
  const operation = find(operations, method.toLowerCase().replace('head', 'get'))
  return operation === undefined ? elsewhere : fieldsOf(find(operation, 'responses'))
}

/** Lists the headers of all responses of a document. A reply may have those of its own response only. */
function listHeaders(document: unknown): readonly string[] {
  const paths = Object.values(fieldsOf(find(document, 'paths')))
  const operations = [
    ...paths.map(path => find(path, 'get')),
    find(document, 'x-preflight'),
    find(document, 'x-elsewhere'),
  ]
  const responses = operations.flatMap(operation => Object.values(fieldsOf(find(operation, 'responses'))))
  return [...new Set(responses.flatMap(response => Object.keys(fieldsOf(find(response, 'headers')))))]
}

/** Finds a value below a node of a JSON document. */
export function find(node: unknown, ...names: readonly string[]): unknown {
  return names.reduce((found, name) => fieldsOf(found)[name], node)
}

/**
 * Replaces every reference in a document by what it refers to, which is then the same object at every place.
 *
 * @throws {Error} when a reference has siblings, which would be lost
 */
export function dereference(document: unknown): unknown {
  const resolved = new Map<unknown, unknown>()
  const resolve = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(resolve)
    if (typeof node !== 'object' || node === null) return node
    const { $ref, ...siblings } = fieldsOf(node)
    if (typeof $ref === 'string') {
      if (Object.keys(siblings).length > 0) throw new Error(`${$ref} has siblings`)
      return resolve(find(document, ...$ref.split('/').slice(1)))
    }
    const entries = () => Object.entries(node).map(([name, value]) => [name, resolve(value)])
    const found = resolved.get(node) ?? Object.fromEntries(entries())
    resolved.set(node, found)
    return found
  }
  return resolve(document)
}
