import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { description, type Header, type Response, type Responses, type Schema } from './document.ts'

/** An answer of the API, and what was asked. */
export interface Answer {
  readonly method: string
  /** Below the API's base URL, as it was asked for; a query in it does not count. */
  readonly path: string
  readonly status: number
  readonly headers: Headers | Readonly<Record<string, string | number | boolean>>
  readonly text: string
}

/**
 * Expects an answer to be one that openapi.yaml describes: its status, its headers, its media type, its body.
 *
 * @throws {Error} that tells everything in which the answer differs.
 */
export function expectDocumented(answer: Answer): void {
  const faults = findFaults(answer)
  if (faults.length === 0) return
  const { method, path, status, text } = answer
  const asked = `${method} ${path.slice(0, 200)}`
  throw new Error([`${asked}: ${status} is not as openapi.yaml has it`, ...faults, text.slice(0, 1_000)].join('\n  '))
}

function findFaults(answer: Answer): readonly string[] {
  const { method, path, status, text } = answer
  const responses = findResponses(method, path.replace(/\?.*$/s, ''))
  const response = responses[status] ?? responses[`${String(status).slice(0, 1)}XX`]
  if (response === undefined) return [`of the statuses it has ${Object.keys(responses).join(', ')}`]
  const headers = toHeaders(answer.headers)
  const bodyFaults = method === 'HEAD' ? findTextFaults(text) : findBodyFaults(response, headers, answer)
  return [...findHeaderFaults(response.headers, headers), ...bodyFaults]
}

/** Finds what may be answered: by an operation, to a preflight, or wherever the API has nothing. */
function findResponses(method: string, path: string): Responses {
  const elsewhere = description['x-elsewhere'].responses
  const found = Object.entries(description.paths).find(([template]) => toPattern(template).test(path))
  if (found === undefined) return elsewhere
  if (method === 'OPTIONS') return { ...elsewhere, ...description['x-preflight'].responses }
  return found[1][method.toLowerCase()]?.responses ?? elsewhere
}

/** A slash at the end counts for nothing. */
function toPattern(template: string): RegExp {
  const path = template.replace(/\/$/, '').replaceAll('.', '\\.')
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`)
}

function toHeaders(headers: Answer['headers']): Headers {
  if (headers instanceof Headers) return headers
  return new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]))
}

/** The headers that mean something here: an answer has just those of them that its description names. */
const knownHeaders = new Set(
  Object.values(description.components.responses).flatMap(({ headers }) => Object.keys(headers)),
)

function findHeaderFaults(documented: Readonly<Record<string, Header>>, headers: Headers): readonly string[] {
  const faults = Object.entries(documented).flatMap(([name, { required = false, schema }]) => {
    const text = headers.get(name)
    if (text === null) return required ? [`${name} is missing`] : []
    return validate(schema, schema['type'] === 'integer' ? Number(text) : text, name)
  })
  const strays = [...knownHeaders].filter(name => !(name in documented) && headers.has(name))
  return [...faults, ...strays.map(name => `${name} is there, and not described`)]
}

function findBodyFaults({ content }: Response, headers: Headers, { status, text }: Answer): readonly string[] {
  const contentType = headers.get('content-type')
  if (content === undefined) return findTextFaults(text)
  const mediaType = contentType?.replace(/;.*/s, '').trim().toLowerCase() ?? ''
  const schema = content[mediaType]?.schema
  if (schema === undefined) return [`${contentType} is none of the media types ${Object.keys(content).join(', ')}`]
  if (!mediaType.endsWith('json')) return validate(schema, text, 'body')
  try {
    const body: unknown = JSON.parse(text)
    return [...validate(schema, body, 'body'), ...findStatusFaults(mediaType, body, status)]
  } catch {
    return ['the body is no JSON']
  }
}

/** A problem document that has a status has the answer's (RFC 9457, 3.1.2). */
function findStatusFaults(mediaType: string, body: unknown, status: number): readonly string[] {
  if (mediaType !== 'application/problem+json') return []
  const told: unknown = Object(body).status
  return told === undefined || told === status ? [] : [`the body says that the status is ${told}`]
}

function findTextFaults(text: string): readonly string[] {
  return text === '' ? [] : ['there is a body']
}

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true })
addFormats.default(ajv)
// Of numbers, and a word to those who generate clients: JSON Schema does not know it.
ajv.addFormat('decimal', true)
ajv.addVocabulary(['example'])

const compiled = new Map<Schema, ValidateFunction>()

/** Says in what a value differs from its schema. */
export function validate(schema: Schema, value: unknown, name: string): readonly string[] {
  const isValid = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, isValid)
  return isValid(value) ? [] : (isValid.errors ?? []).map(error => `${name}${toSentence(error)}`)
}

function toSentence({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath} ${message} ${JSON.stringify(params)}`
}
