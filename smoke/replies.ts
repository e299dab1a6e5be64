import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { cors, toLink } from '../api/headers.ts'
import { createDescription, exampleBaseUrl } from '../api/schemas/openapi.ts'
import { type Check, expectNone, Finding, formatReply, shownMismatches } from './check.ts'
import { fieldsOf, parseJson, type Reply, textOf } from './client.ts'
import { findContractMismatches } from './contract.ts'
import { findNetworkMismatches, freshMs, isRead } from './prices.ts'
import { formatValue } from './printable.ts'

/** Accepted difference between the clocks of a function (`readAt`) and of the gateway (`Date`). */
const skewMs = 2_000

const ofReplies = (
  name: string,
  findMismatches: (reply: Reply, baseUrl: string) => readonly string[],
  isMeant: (reply: Reply) => boolean = () => true,
): Check => ({
  name,
  run(client) {
    const replies = client.replies.filter(isMeant)
    if (replies.length === 0) throw new Finding('noted', 'no such reply')
    const mismatches: string[] = []
    for (const reply of replies) {
      const ofReply = findMismatches(reply, client.baseUrl)
      if (ofReply.length > 0) mismatches.push(`${formatReply(reply)}, ${ofReply.join(', ')}`)
      // No further ones are shown, and a large body takes long.
      if (mismatches.length > shownMismatches) break
    }
    return expectNone(mismatches, `${replies.length} replies`)
  },
})

/**
 * Checks of all replies that decide whether callers are served.
 *
 * The probe makes them, and may be older than the functions: during a deployment it must accept what `v1` may add (D30).
 */
export const servedChecks: readonly Check[] = [
  ofReplies('every request is answered, for any origin', findOriginMismatches),
  ofReplies('a reply is of the network and the feed of its path', findNetworkMismatches, isRead),
  ofReplies('a success is at most 10 s old and expires 10 s after its read', findAgeMismatches, isRead),
]

export const replyChecks: readonly Check[] = [
  ...servedChecks,
  ofReplies('replies are as the API describes them', findApiMismatches, ({ status }) => status > 0),
  ofReplies('the pages run only their own script and style', findPageMismatches, isDocument(['/', '/docs'])),
  ofReplies('openapi.json is of this API', findDescriptionMismatches, isDocument(['/openapi.json'])),
]

/** Compares a reply with the description of the API, and its links with the base URL of this run. */
function findApiMismatches(reply: Reply, baseUrl: string): readonly string[] {
  const link = reply.headers.get('link')
  const isOfRun = link === null || link === toLink(baseUrl)
  return [...findContractMismatches(reply), ...(isOfRun ? [] : [`Link is ${formatValue(link)}`])]
}

/** Without a response, there are no headers. */
function findOriginMismatches({ headers }: Reply): readonly string[] {
  return [
    ...expectHeader(headers, 'access-control-allow-origin', cors.origin),
    ...expectHeader(headers, 'access-control-allow-credentials', null),
    ...(/\borigin\b/i.test(headers.get('vary') ?? '') ? ['vary has Origin'] : []),
  ]
}

function expectHeader(headers: Headers, name: string, expected: string | null): readonly string[] {
  const value = headers.get(name)
  return value === expected ? [] : [`${name} is ${formatValue(value)}`]
}

/** Compares the time when a reply was sent, its expiry, and the age that a cache counted, if there is one. */
function findAgeMismatches({ headers, fields }: Reply): readonly string[] {
  const readAtMs = Date.parse(textOf(fields['readAt']))
  const sentMs = Date.parse(headers.get('date') ?? '') - readAtMs
  const expiresMs = Date.parse(headers.get('expires') ?? '') - readAtMs
  const ageSeconds = Number(headers.get('age') ?? 0)
  return [
    ...(sentMs > freshMs + skewMs ? [`date is ${sentMs / 1_000} s after readAt`] : []),
    ...(expiresMs > 0 && expiresMs <= freshMs ? [] : [`expires is ${expiresMs / 1_000} s after readAt`]),
    ...(ageSeconds * 1_000 > freshMs ? [`age is ${formatValue(headers.get('age'))}`] : []),
  ]
}

function isDocument(paths: readonly string[]) {
  return ({ method, path, status }: Reply) => method === 'GET' && paths.includes(path) && status === 200
}

/** Compares a page with its content security policy. Any change of the page in transit changes the hashes. */
function findPageMismatches({ headers, text }: Reply): readonly string[] {
  const policy = (headers.get('content-security-policy') ?? '').split(/\s*;\s*/)
  const expected = ['script', 'style'].map(tag => `${tag}-src ${toSources(text, tag)}`)
  return expected.filter(directive => !policy.includes(directive)).map(directive => `its policy lacks ${directive}`)
}

/** Hashes the content of all elements with a tag, in the form of a policy's sources. */
function toSources(text: string, tag: string): string {
  // Each part has at most one element, so that the time is proportional to the length of any text.
  const elements = text.split(`</${tag}>`).slice(0, -1)
  const contents = elements.flatMap(part => new RegExp(`<${tag}\\b[^<>]*>(.*)`, 's').exec(part)?.slice(1) ?? [])
  const hashes = contents.map(content => createHash('sha256').update(content).digest('base64'))
  return hashes.map(hash => `'sha256-${hash}'`).join(' ')
}

/** Compares the description that is served with our own, but for the operations, which have examples of prices. */
function findDescriptionMismatches({ text }: Reply, baseUrl: string): readonly string[] {
  const own = JSON.stringify(createDescription({})).replaceAll(exampleBaseUrl, () => baseUrl)
  return isDeepStrictEqual(toOutline(text), toOutline(own)) ? [] : ['it differs from the description of this version']
}

function toOutline(description: string) {
  const fields = fieldsOf(parseJson(description))
  return { ...fields, paths: Object.keys(fieldsOf(fields['paths'])) }
}
