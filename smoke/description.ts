import { type Check, checkEach, formatReply, formatValue, toCheck } from './check.ts'
import { type Client, type Fields, fieldsOf, parseJson, type Reply } from './client.ts'
import { mainnet, type Network } from './record.ts'
import { createValidator, dereference, find, toTemplate } from './validator.ts'

/** Requests the description, and finds the networks in it. There are none unless the first is the specification's default. */
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
  // Without the stage in the path, API Gateway responds 403, and the local gateway redirects to it.
  const isStageMissing = [307, 403, 404].includes(reply.status) && new URL(client.baseUrl).pathname === '/'
  const hint = isStageMissing ? '. Is /v1 missing in the URL?' : ''
  const seen = `${formatReply(reply)}, first ${formatValue(networks[0])} of ${networks.length}${hint}`
  const check = toCheck('openapi.json names the networks', isRight ? [] : [seen], slugs.join(', '))
  return { networks: isRight ? networks : [], check }
}

function listTexts(values: unknown): readonly string[] {
  return Array.isArray(values) ? values.map(String) : []
}

/**
 * Checks the status, headers and body of all replies against the description that the service itself serves.
 *
 * A description that accepts everything would prove nothing, so it must also reject altered replies.
 */
export function checkDescription(replies: readonly Reply[]): readonly Check[] {
  const served = replies.find(({ method, path }) => method === 'GET' && path === '/openapi.json')
  const came = replies.filter(({ status }) => status > 0)
  const name = 'replies match openapi.json'
  try {
    const { findMismatches } = createValidator(dereference(parseJson(served?.text ?? '')))
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
  return toCheck('openapi.json rejects altered replies', mismatches, `${altered.length} altered replies`)
}

/** Alters one thing at a time: the header of the cache or of CORS in any reply, and a field in the body of a price or list. */
function* alter(reply: Reply): Generator<readonly [how: string, altered: Reply]> {
  for (const name of ['access-control-allow-origin', 'cache-control']) {
    const others = [...reply.headers].filter(([other]) => other !== name)
    yield [`without ${name}`, { ...reply, headers: new Headers(others) }]
    yield [`with another ${name}`, { ...reply, headers: new Headers([...others, [name, 'x']]) }]
  }
  if (!reply.path.startsWith('/price')) return
  const body = fieldsOf(parseJson(reply.text))
  for (const [how, altered] of alterFields(body)) yield [how, { ...reply, text: JSON.stringify(altered) }]
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
