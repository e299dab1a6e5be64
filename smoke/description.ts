import { type Check, checkEach, formatReply, formatValue, toCheck } from './check.ts'
import { type Client, type Fields, fieldsOf, type Reply } from './client.ts'
import { mainnet, type Network } from './record.ts'
import { createValidator, dereference, find, toTemplate } from './validator.ts'

/** Requests the description, and finds the networks in it: none if the first is not the specification's default. */
export async function askNetworks(client: Client): Promise<{ networks: readonly Network[]; check: Check }> {
  const reply = await client.ask('/openapi.json')
  const slug = find(reply.fields, 'components', 'parameters', 'Network', 'schema')
  const schemas = find(reply.fields, 'components', 'schemas')
  const slugs = listTexts(find(slug, 'enum'))
  const names = listTexts(find(schemas, 'NetworkName', 'enum'))
  const chainIds = listTexts(find(schemas, 'ChainId', 'enum'))
  const networks = slugs.map((name, index) => ({
    slug: name,
    query: name === find(slug, 'default') ? '' : `?network=${name}`,
    name: names[index] ?? '',
    chainId: chainIds[index] ?? '',
  }))
  const isRight = JSON.stringify(networks[0]) === JSON.stringify(mainnet)
  const hint = isNotFound(reply) && new URL(client.baseUrl).pathname === '/' ? '. Is /v1 missing in the URL?' : ''
  const seen = `${formatReply(reply)}, first ${formatValue(networks[0])} of ${networks.length}${hint}`
  const check = toCheck('openapi.json names the networks', isRight ? [] : [seen], slugs.join(', '))
  return { networks: isRight ? networks : [], check }
}

function listTexts(values: unknown): readonly string[] {
  return Array.isArray(values) ? values.map(String) : []
}

/** API Gateway answers 403 without a stage, and the local gateway redirects to it. */
function isNotFound({ status }: Reply): boolean {
  return [307, 403, 404].includes(status)
}

/**
 * Checks the status, headers and body of all replies against the description that the service itself serves.
 *
 * It proves nothing unless it is strict: it must reject altered replies.
 */
export function checkDescription(replies: readonly Reply[]): readonly Check[] {
  const served = replies.find(({ method, path }) => `${method} ${path}` === 'GET /openapi.json')
  const came = replies.filter(({ status }) => status > 0)
  const name = 'answers match openapi.json'
  try {
    const { findMismatches } = createValidator(dereference(served?.json))
    return [checkEach(name, came, findMismatches), checkStrictness(came, findMismatches)]
  } catch (error) {
    // A schema is invalid, or contains itself.
    return [toCheck(name, [`it cannot be used: ${error instanceof Error ? error.message : 'unknown'}`], '')]
  }
}

/** Checks that altered replies are rejected: one of each path and status. */
function checkStrictness(replies: readonly Reply[], findMismatches: (reply: Reply) => readonly string[]): Check {
  const gets = replies.filter(({ method, status }) => method === 'GET' && status < 500)
  const kinds = Map.groupBy(gets, ({ path, status }) => `${status} of ${toTemplate(path)}`)
  const altered = [...kinds].flatMap(([kind, [reply]]) =>
    reply === undefined ? [] : [...alter(reply)].map(([how, one]) => ({ how: `${kind} ${how}`, one })),
  )
  const accepted = altered.filter(({ one }) => findMismatches(one).length === 0)
  const mismatches = accepted.map(({ how }) => `accepts a ${how}`)
  return toCheck('openapi.json rejects altered answers', mismatches, `${altered.length} altered answers`)
}

/** Alters a header, or one field at a time: the cache and CORS of every reply, and the body of a price or list. */
function* alter(reply: Reply): Generator<readonly [how: string, altered: Reply]> {
  for (const name of ['access-control-allow-origin', 'cache-control']) {
    const others = [...reply.headers].filter(([other]) => other !== name)
    yield [`without ${name}`, { ...reply, headers: new Headers(others) }]
    yield [`with another ${name}`, { ...reply, headers: new Headers([...others, [name, 'x']]) }]
  }
  if (!reply.path.startsWith('/price')) return
  for (const [how, json] of alterFields(fieldsOf(reply.json))) yield [how, { ...reply, json }]
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
