import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type Check, checkEach, formatAnswer, formatValue, toCheck } from './check.ts'
import { type Answer, type Client, type Fields, fieldsOf } from './client.ts'
import { mainnet, type Network } from './record.ts'

/** Requests the description, and finds the networks in it: none if the first is not the specification's default. */
export async function askNetworks(client: Client): Promise<{ networks: readonly Network[]; check: Check }> {
  const answer = await client.ask('/openapi.json')
  const slug = find(answer.fields, 'components', 'parameters', 'Network', 'schema')
  const [slugs, names, chainIds] = [
    find(slug, 'enum'),
    find(answer.fields, 'components', 'schemas', 'NetworkName', 'enum'),
    find(answer.fields, 'components', 'schemas', 'ChainId', 'enum'),
  ].map(values => (Array.isArray(values) ? values.map(String) : []))
  const networks = (slugs ?? []).map((name, index) => ({
    slug: name,
    query: name === find(slug, 'default') ? '' : `?network=${name}`,
    name: names?.[index] ?? '',
    chainId: chainIds?.[index] ?? '',
  }))
  const isRight = JSON.stringify(networks[0]) === JSON.stringify(mainnet)
  const hint = isNotFound(answer) && new URL(client.baseUrl).pathname === '/' ? '. Is /v1 missing in the URL?' : ''
  const seen = `${formatAnswer(answer)}, first ${formatValue(networks[0])} of ${networks.length}${hint}`
  const check = toCheck('openapi.json names the networks', isRight ? [] : [seen], (slugs ?? []).join(', '))
  return { networks: isRight ? networks : [], check }
}

/** API Gateway answers 403 without a stage, and the local gateway redirects to it. */
function isNotFound({ status }: Answer): boolean {
  return [307, 403, 404].includes(status)
}

/**
 * Checks the status, headers and body of all answers against the description that the service itself serves.
 *
 * It proves nothing unless it is strict: it must reject altered answers.
 */
export function checkDescription(answers: readonly Answer[]): readonly Check[] {
  const served = answers.find(({ method, path }) => `${method} ${path}` === 'GET /openapi.json')
  const came = answers.filter(({ status }) => status > 0)
  const name = 'answers match openapi.json'
  try {
    const findFaults = createValidator(dereference(served?.json))
    return [checkEach(name, came, findFaults), checkStrictness(came, findFaults)]
  } catch (error) {
    // A schema is invalid, or contains itself.
    return [toCheck(name, [`it cannot be used: ${error instanceof Error ? error.message : 'unknown'}`], '')]
  }
}

/** Checks that altered answers are rejected: one of each path and status. */
function checkStrictness(answers: readonly Answer[], findFaults: (answer: Answer) => readonly string[]): Check {
  const gets = answers.filter(({ method, status }) => method === 'GET' && status < 500)
  const kinds = Map.groupBy(gets, ({ path, status }) => `${status} of ${toTemplate(path)}`)
  const altered = [...kinds].flatMap(([kind, [answer]]) =>
    answer === undefined ? [] : [...alter(answer)].map(([how, one]) => ({ how: `${kind} ${how}`, one })),
  )
  const accepted = altered.filter(({ one }) => findFaults(one).length === 0)
  const faults = accepted.map(({ how }) => `accepts a ${how}`)
  return toCheck('openapi.json rejects altered answers', faults, `${altered.length} altered answers`)
}

/** Finds the path of the description that a path matches. A trailing slash is ignored. */
function toTemplate(path: string): string {
  const place = path.replace(/\?.*$/, '').replace(/(?<=.)\/$/, '')
  return place.replace(/^\/price\/[^/]+$/, '/price/{symbol}')
}

/** Creates a function that finds in what an answer differs from an OpenAPI document. */
function createValidator(document: unknown): (answer: Answer) => readonly string[] {
  const ajv = new Ajv2020({ strict: false, logger: false, formats: { decimal: true } })
  addFormats.default(ajv)
  const validate = (what: string, schema: unknown, value: unknown): readonly string[] => {
    if (ajv.validate(fieldsOf(schema), value)) return []
    return (ajv.errors ?? []).slice(0, 1).map(({ instancePath, message }) => `${what}${instancePath} ${message}`)
  }
  return answer => {
    const response = findResponse(document, answer)
    if (response === undefined) return ['a status that is not described']
    const isHead = answer.method === 'HEAD'
    const headers = Object.entries(fieldsOf(find(response, 'headers'))).flatMap(([name, header]) => {
      const text = answer.headers.get(name)
      // Only a read of the chain has an expiry, and HEAD reads none.
      if (text === null) return isHead && name === 'Expires' ? [] : [`${name} is missing`]
      const schema = find(header, 'schema')
      return validate(name, schema, find(schema, 'type') === 'integer' ? Number(text) : text)
    })
    if (isHead || !('content' in fieldsOf(response))) return headers
    const mediaType = answer.headers.get('content-type')?.replace(/;.*/, '').trim().toLowerCase() ?? ''
    const schema = find(response, 'content', mediaType, 'schema')
    if (schema === undefined) return [...headers, `not described as ${formatValue(mediaType)}`]
    return [...headers, ...validate('body', schema, mediaType.endsWith('json') ? answer.json : answer.text)]
  }
}

/** Finds the response that describes an answer: of its path and method, of a preflight, or of what the API does not have. */
function findResponse(document: unknown, { method, path, status }: Answer): unknown {
  const operations = find(document, 'paths', toTemplate(path))
  const operation =
    operations !== undefined && method === 'OPTIONS'
      ? find(document, 'x-preflight')
      : find(operations, method.toLowerCase().replace('head', 'get'))
  return find(operation ?? find(document, 'x-elsewhere'), 'responses', String(status))
}

/** Finds a value below a node of a JSON document. */
function find(node: unknown, ...names: readonly string[]): unknown {
  return names.reduce((found, name) => fieldsOf(found)[name], node)
}

/** Replaces every reference in a document by what it refers to, which is then the same object at every place. */
function dereference(document: unknown): unknown {
  const resolved = new Map<unknown, unknown>()
  const resolve = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(resolve)
    if (typeof node !== 'object' || node === null) return node
    const { $ref } = fieldsOf(node)
    if (typeof $ref === 'string') return resolve(find(document, ...$ref.split('/').slice(1)))
    const entries = () => Object.entries(node).map(([name, value]) => [name, resolve(value)])
    const found = resolved.get(node) ?? Object.fromEntries(entries())
    resolved.set(node, found)
    return found
  }
  return resolve(document)
}

/** Alters a header, or one field at a time: the cache and CORS of every answer, and the body of a price or list. */
function* alter(answer: Answer): Generator<readonly [how: string, altered: Answer]> {
  for (const name of ['access-control-allow-origin', 'cache-control']) {
    const others = [...answer.headers].filter(([other]) => other !== name)
    yield [`without ${name}`, { ...answer, headers: new Headers(others) }]
    yield [`with another ${name}`, { ...answer, headers: new Headers([...others, [name, 'x']]) }]
  }
  if (!answer.path.startsWith('/price')) return
  for (const [how, json] of alterFields(fieldsOf(answer.json))) yield [how, { ...answer, json }]
}

/** Alters one field at a time, at any depth: adds one, leaves one out, changes the type of one. */
function* alterFields(fields: Fields): Generator<readonly [how: string, altered: Fields]> {
  yield ['with another field', { ...fields, another: 'x' }]
  for (const [name, value] of Object.entries(fields)) {
    const { [name]: _, ...others } = fields
    if (name !== 'latestRoundDataReverts') yield [`without ${name}`, others]
    yield [`with another type of ${name}`, { ...fields, [name]: typeof value === 'string' ? 0 : 'x' }]
    const [inner] = [value].flat()
    const isObject = Object.keys(fieldsOf(inner)).length > 0
    for (const [how, one] of isObject ? alterFields(fieldsOf(inner)) : []) {
      yield [`with ${name} ${how}`, { ...fields, [name]: inner === value ? one : [one] }]
    }
  }
}
