import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { allResponses, description, type Header, type Response, type Responses, type Schema } from './document.ts'

/** A response of the API, and its request. */
export interface Answer {
  readonly method: string
  /** Below the API's base URL. A query is ignored. */
  readonly path: string
  readonly status: number
  readonly headers: Headers | Readonly<Record<string, string | number | boolean>>
  readonly text: string
}

/**
 * Expects a response that openapi.yaml documents: status, headers, media type and body.
 *
 * @throws {Error} with every difference
 */
export function expectDocumented(answer: Answer): void {
  const differences = findDifferences(answer)
  if (differences.length === 0) return
  const { method, path, status, text } = answer
  const title = `${method} ${path.slice(0, 200)}: the response ${status} is not documented in openapi.yaml`
  throw new Error([title, ...differences, text.slice(0, 1_000)].join('\n  '))
}

function findDifferences(answer: Answer): readonly string[] {
  const { method, path, status, text } = answer
  const responses = findResponses(method, path.replace(/\?.*$/s, ''))
  const response = responses[status]
  if (response === undefined) return [`the documented statuses are ${Object.keys(responses).join(', ')}`]
  const headers = toHeaders(answer.headers)
  if (method !== 'HEAD')
    return [...compareHeaders(response.headers, headers), ...compareBody(response, headers, answer)]
  const { Expires: _, ...ofHead } = response.headers
  return [...compareHeaders(ofHead, headers), ...compareEmpty(text)]
}

/** Finds the documented responses of an operation, of a preflight, or of a path outside of the API. */
function findResponses(method: string, path: string): Responses {
  const elsewhere = description['x-elsewhere'].responses
  const found = Object.entries(description.paths).find(([template]) => toPattern(template).test(path))
  if (found === undefined) return elsewhere
  if (method === 'OPTIONS') return { ...elsewhere, ...description['x-preflight'].responses }
  return found[1][method.toLowerCase().replace('head', 'get')]?.responses ?? elsewhere
}

/** A trailing slash is ignored. */
function toPattern(template: string): RegExp {
  const path = template.replace(/\/$/, '').replaceAll('.', '\\.')
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`)
}

function toHeaders(headers: Answer['headers']): Headers {
  if (headers instanceof Headers) return headers
  return new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]))
}

/** The headers that the description names anywhere. A response has those of them that its own description names. */
const knownHeaders = new Set(Object.values(allResponses).flatMap(({ headers }) => Object.keys(headers)))

function compareHeaders(documented: Readonly<Record<string, Header>>, headers: Headers): readonly string[] {
  const differences = Object.entries(documented).flatMap(([name, { required = false, schema }]) => {
    const text = headers.get(name)
    if (text === null) return required ? [`${name} is missing`] : []
    return validate(schema, schema['type'] === 'integer' ? Number(text) : text, name)
  })
  const undocumented = [...knownHeaders].filter(name => !(name in documented) && headers.has(name))
  return [...differences, ...undocumented.map(name => `${name} is not documented`)]
}

function compareBody({ content }: Response, headers: Headers, { status, text }: Answer): readonly string[] {
  const contentType = headers.get('content-type')
  if (content === undefined) return compareEmpty(text)
  const mediaType = contentType?.replace(/;.*/s, '').trim().toLowerCase() ?? ''
  const schema = content[mediaType]?.schema
  if (schema === undefined) return [`${contentType} is none of the media types ${Object.keys(content).join(', ')}`]
  if (!mediaType.endsWith('json')) return validate(schema, text, 'body')
  try {
    const body: unknown = JSON.parse(text)
    return [...validate(schema, body, 'body'), ...compareStatus(mediaType, body, status)]
  } catch {
    return ['the body is no JSON']
  }
}

/** A problem document's status is the response's. @see https://www.rfc-editor.org/rfc/rfc9457#section-3.1.2 */
function compareStatus(mediaType: string, body: unknown, status: number): readonly string[] {
  if (mediaType !== 'application/problem+json') return []
  const stated: unknown = Object(body).status
  return stated === undefined || stated === status ? [] : [`the status in the body is ${stated}`]
}

function compareEmpty(text: string): readonly string[] {
  return text === '' ? [] : ['the body is not empty']
}

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true })
addFormats.default(ajv)
// A format of numbers for generators of clients, unknown to JSON Schema.
ajv.addFormat('decimal', true)
ajv.addVocabulary(['example'])

const compiled = new Map<Schema, ValidateFunction>()

/** Validates a value. Returns a sentence for each difference from its schema. */
export function validate(schema: Schema, value: unknown, name: string): readonly string[] {
  const isValid = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, isValid)
  return isValid(value) ? [] : (isValid.errors ?? []).map(error => `${name}${toSentence(error)}`)
}

function toSentence({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath} ${message} ${JSON.stringify(params)}`
}
