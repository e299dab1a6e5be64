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
import type { Client } from './client.ts'
import { mainnet, type Network } from './record.ts'

const paths = ['/', '/docs', '/openapi.json', '/price', '/price/{symbol}']

/** The networks that the description enumerates, the default first, and the check that there are any. */
interface DescribedNetworks {
  readonly networks: readonly Network[]
  readonly check: Check
}

/** More are not checked, so that no description makes a run endless. */
const maxNetworks = 20

/** Requests the description, and finds the networks in it: none if they are not as specified. No price can be checked then. */
export async function askNetworks(client: Client): Promise<DescribedNetworks> {
  const answer = await client.ask('/openapi.json')
  const { parameters, schemas } = fieldsOf(fieldsOf(answer.exact)['components'])
  const enumerate = (schema: unknown) => [fieldsOf(schema)['enum']].flat().filter(value => typeof value === 'string')
  const schema = fieldsOf(fieldsOf(fieldsOf(parameters)['Network'])['schema'])
  const [slugs, names, chainIds] = [
    enumerate(schema),
    ...['NetworkName', 'ChainId'].map(name => enumerate(fieldsOf(schemas)[name])),
  ]
  const found = slugs.map((slug, index) => ({
    slug,
    query: slug === schema['default'] ? '' : `?network=${slug}`,
    name: names?.[index] ?? '',
    chainId: chainIds?.[index] ?? '',
  }))
  const areDistinct = [slugs, names, chainIds].every(values => new Set(values).size === found.length)
  const areUsable = areDistinct && found.length <= maxNetworks && slugs.every(slug => /^\w{1,20}$/.test(slug))
  const [first] = found
  const isMainnet = JSON.stringify(first) === JSON.stringify(mainnet)
  const seen = `${formatAnswer(answer)}, first ${formatValue(first)} of ${found.length}`
  const isRight = areUsable && isMainnet
  const check = toCheck(
    'openapi.json names the networks',
    isRight ? [] : [seen],
    slugs.slice(0, maxNetworks).join(', '),
  )
  return { networks: isRight ? found : [], check }
}

/**
 * Checks all answers to GET against the description that the service itself serves.
 *
 * Its schemas prove nothing unless they are strict: they must reject altered answers.
 */
export function checkDescription(answers: readonly Answer[]): readonly Check[] {
  const served = answers.find(({ method, path, status }) => `${method} ${path} ${status}` === 'GET /openapi.json 200')
  if (served === undefined) return [toSkipped('answers match openapi.json', 'no openapi.json')]
  const { openapi, paths: described } = fieldsOf(served.json)
  const missing = paths.filter(path => !(path in fieldsOf(described))).map(path => `${path} is missing`)
  const version = String(openapi).startsWith('3.1.') ? [] : [`its version is ${formatValue(openapi)}`]
  const findFault = createValidator(fieldsOf(served.json))
  const gets = answers.filter(({ method, path, status }) => method === 'GET' && status > 0 && toTemplate(path))
  const faults = gets.flatMap(answer => findFault(answer).map(fault => `${formatAnswer(answer)} ${fault}`))
  return [
    toCheck('openapi.json describes every path', [...missing, ...version], paths.join(' ')),
    toCheck('answers match openapi.json', faults, `${gets.length} answers`),
    checkStrictness(gets, findFault),
  ]
}

/** Checks that altered answers are rejected: one of each route and status. */
function checkStrictness(answers: readonly Answer[], findFault: (answer: Answer) => readonly string[]): Check {
  const name = 'openapi.json rejects altered answers'
  const ours = answers.filter(({ path, status }) => path.startsWith('/price') && status < 500)
  const kinds = Map.groupBy(ours, ({ path, status }) => `${status} of ${toTemplate(path)}`)
  const altered = [...kinds].flatMap(([kind, [answer]]) =>
    answer === undefined
      ? []
      : [...alter(fieldsOf(answer.json))].map(([how, json]) => ({ ...answer, json, kind, how })),
  )
  const accepted = altered.filter(answer => findFault(answer).length === 0)
  const accepts = accepted.map(({ kind, how }) => `accepts a ${kind} ${how}`)
  return altered.length === 0
    ? toSkipped(name, 'no answers')
    : toCheck(name, accepts, `${altered.length} altered answers`)
}

/** Finds the path of the description that a path matches. */
function toTemplate(path: string): string | undefined {
  const [place = ''] = path.split('?')
  return paths.find(template => template === place.replace(/^\/price\/[^/]+$/, '/price/{symbol}'))
}

/** Creates a function that finds in what a body differs from its schema in an OpenAPI document. */
function createValidator(document: Fields): (answer: Answer) => readonly string[] {
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
  const { $ref } = fieldsOf(fieldsOf(responses)[status])
  return typeof $ref === 'string' ? $ref : `#/paths/${toPointer(template)}/get/responses/${status}`
}

/** @see {@link https://www.rfc-editor.org/rfc/rfc6901#section-6} */
function toPointer(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))
}

/** Alters one field at a time, at any depth: adds one, leaves one out, changes the type of one. */
function* alter(fields: Fields): Generator<readonly [how: string, altered: Fields]> {
  yield ['with another field', { ...fields, another: 'x' }]
  for (const [name, value] of Object.entries(fields)) {
    const { [name]: _, ...others } = fields
    if (name !== 'latestRoundDataReverts') yield [`without ${name}`, others]
    yield [`with another type of ${name}`, { ...fields, [name]: typeof value === 'string' ? 0 : 'x' }]
    const [inner] = [value].flat()
    const isObject = Object.keys(fieldsOf(inner)).length > 0
    for (const [how, one] of isObject ? alter(fieldsOf(inner)) : []) {
      yield [`with ${name} ${how}`, { ...fields, [name]: inner === value ? one : [one] }]
    }
  }
}
