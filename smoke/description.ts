import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import {
  type Answer,
  type Check,
  type Fields,
  fieldsOf,
  formatAnswer,
  formatValue,
  toCheck,
  toSkipped,
} from './check.ts'

const paths = ['/', '/openapi.json', '/price', '/price/{symbol}']

/**
 * Checks all answers to GET against the description that the service itself serves.
 *
 * Its schemas must be strict, or they prove nothing: they must reject altered answers.
 */
export function checkDescription(answers: readonly Answer[]): readonly Check[] {
  const served = answers.find(({ path, status }) => path === '/openapi.json' && status === 200)
  if (served === undefined) return [toSkipped('answers match openapi.json', 'no openapi.json')]
  const { openapi, paths: described } = fieldsOf(served.json)
  const missing = paths.filter(path => !(path in fieldsOf(described))).map(path => `${path} is missing`)
  const isVersion = String(openapi).startsWith('3.1.')
  const findFault = createValidator(fieldsOf(served.json))
  const gets = answers.filter(({ method, path, status }) => method === 'GET' && status > 0 && toTemplate(path))
  const faults = gets.flatMap(answer => findFault(answer).map(fault => `${formatAnswer(answer)} ${fault}`))
  const ours = gets.filter(({ path, status }) => path.startsWith('/price') && status < 500)
  const kinds = Map.groupBy(ours, ({ path, status }) => `${status} of ${toTemplate(path)}`)
  const altered = [...kinds].flatMap(([kind, [first]]) => (first === undefined ? [] : alter(first, kind)))
  const accepted = altered.filter(({ answer }) => findFault(answer).length === 0).map(({ how }) => `accepts a ${how}`)
  return [
    toCheck(
      'openapi.json describes every path',
      isVersion ? missing : [`its version is ${formatValue(openapi)}`],
      paths.join(' '),
    ),
    toCheck('answers match openapi.json', faults, `${gets.length} answers`),
    toCheck('openapi.json rejects altered answers', accepted, `${altered.length} altered answers`),
  ]
}

/** Finds the path of the description that a path matches. */
function toTemplate(path: string): string | undefined {
  const [place = ''] = path.split('?')
  return paths.find(
    template => template === place.replace(/(?<=.)\/$/, '').replace(/^\/price\/[^/]+$/, '/price/{symbol}'),
  )
}

/** Creates a function that finds in what a body differs from its schema in an OpenAPI document. */
export function createValidator(document: Fields): (answer: Answer) => readonly string[] {
  const ajv = new Ajv2020({ strict: false, logger: false, formats: { decimal: true } })
  addFormats.default(ajv)
  return answer => {
    const mediaType = answer.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? 'no content type'
    const schema = `openapi.json${findResponse(document, answer)}/content/${toPointer(mediaType)}/schema`
    try {
      if (ajv.schemas['openapi.json'] === undefined) ajv.addSchema(document, 'openapi.json')
      const validate = ajv.getSchema(schema)
      if (validate === undefined) return [`is not described as ${formatValue(mediaType)}`]
      if (validate(mediaType.endsWith('json') ? answer.json : answer.text)) return []
      return (validate.errors ?? []).slice(0, 1).map(({ instancePath, message }) => `${instancePath} ${message}`)
    } catch (error) {
      return [`has an unusable schema: ${formatValue(String(error))}`]
    }
  }
}

/** Finds the pointer to the response that describes an answer. */
function findResponse(document: Fields, { path, status }: Answer): string {
  const template = toTemplate(path) ?? path
  const { responses } = fieldsOf(fieldsOf(fieldsOf(document['paths'])[template])['get'])
  const key = status in fieldsOf(responses) ? status : `${Math.floor(status / 100)}XX`
  const { $ref } = fieldsOf(fieldsOf(responses)[key])
  return typeof $ref === 'string' ? $ref : `#/paths/${toPointer(template)}/get/responses/${key}`
}

/** @see {@link https://www.rfc-editor.org/rfc/rfc6901#section-6} */
function toPointer(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))
}

interface Altered {
  readonly answer: Answer
  readonly how: string
}

/** Alters the fields of an answer and of the first entry of a list. */
function alter(answer: Answer, kind: string): readonly Altered[] {
  const fields = fieldsOf(answer.json)
  const [entry] = Array.isArray(fields['feeds']) ? fields['feeds'] : []
  const entries = Object.entries(entry === undefined ? {} : alterFields(fieldsOf(entry)))
  const altered = [
    ...Object.entries(alterFields(fields)),
    ...entries.map(([how, one]) => [how, { ...fields, feeds: [one] }] as const),
  ]
  return altered.map(([how, json]) => ({ answer: { ...answer, json }, how: `${kind} ${how}` }))
}

/** Alters one field at a time: adds one, leaves one out, changes the type of one. */
function alterFields(fields: Fields): Readonly<Record<string, Fields>> {
  const altered: Record<string, Fields> = { 'with another field': { ...fields, another: 'x' } }
  for (const [name, value] of Object.entries(fields)) {
    const { [name]: _, ...others } = fields
    altered[`with another type of ${name}`] = { ...others, [name]: typeof value === 'string' ? 0 : 'x' }
    if (name !== 'latestRoundDataReverts') altered[`without ${name}`] = others
  }
  return altered
}
