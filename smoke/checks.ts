import { setTimeout as sleep } from 'node:timers/promises'
import { cors, freshSeconds } from '../api/headers.ts'
import { defaultNetwork, isNetwork, type Network, networkFacts, networks, toQuery } from '../api/networks.ts'
import { toProblemType } from '../api/problems.ts'
import { documentRoutes } from '../api/routes.ts'
import { type Client, type Fields, fieldsOf, formatReply, formatText, formatValue, type Reply } from './requests.ts'

export interface Check {
  readonly name: string
  /** Sends its requests, or looks at the replies up to now. Throws the first mismatch. */
  readonly run: (client: Client) => void | Promise<void>
}

/**
 * A mismatch that does not fail the run: a network other than the default one is unavailable, or no record has a symbol
 * that the checks of the cache's key can use.
 */
class Noted extends Error {}

export async function runChecks(checks: readonly Check[], client: Client) {
  const results: { name: string; result: 'passed' | 'failed' | 'noted'; detail: string }[] = []
  for (const { name, run } of checks) {
    try {
      await run(client)
      results.push({ name, result: 'passed', detail: '' })
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error)
      results.push({ name, result: error instanceof Noted ? 'noted' : 'failed', detail })
    }
  }
  return results
}

export function expectThat(isRight: boolean, reply: Reply, wrong: string): void {
  if (!isRight) throw new Error(`${formatReply(reply)}, ${wrong}`)
}

/** Whether a reply is a price or a list. */
function isRead({ status, fields }: Reply): boolean {
  return status === 200 && 'readAt' in fields
}

function isUnavailable({ fields }: Reply): boolean {
  return fields['type'] === toProblemType('chain-unavailable')
}

/** Expects a success of a network. */
function expectRead(reply: Reply, expected: Network): void {
  const { chainId } = reply.fields
  if (isUnavailable(reply)) throw toNetworkError(expected, formatReply(reply))
  expectThat(isRead(reply), reply, 'not a success')
  const { id } = networkFacts[expected].chain
  expectThat(chainId === id, reply, `of chain ${formatValue(chainId)}, not ${id}`)
}

function toNetworkError(network: Network, detail: string): Error {
  return network === defaultNetwork ? new Error(detail) : new Noted(detail)
}

/** Lists the entries of the latest list of a network. */
function findEntries({ replies }: Client, network: Network): readonly Fields[] {
  const list = replies.findLast(reply => reply.path === `/price${toQuery(network)}` && isRead(reply))
  const feeds = list?.fields['feeds']
  return Array.isArray(feeds) ? feeds.map(fieldsOf) : []
}

/** Lists the records of the latest list of a network. Its other entries are feeds that cannot be read. */
function findRecords(client: Client, network: Network): readonly Fields[] {
  return findEntries(client, network).filter(entry => !('problem' in entry))
}

/**
 * Lists a check for each network: at least half of the entries of its list are records, and feeds of it have their
 * prices at the URLs of the list.
 *
 * @param feedsToRead how many feeds of each network are read at their URLs
 */
export const listNetworkChecks = (feedsToRead: number): readonly Check[] =>
  networks.map(network => ({
    name: `${network}: the list, and its feeds at their URLs`,
    async run(client) {
      const list = await client.ask(`/price${toQuery(network)}`)
      expectRead(list, network)
      const entries = findEntries(client, network)
      for (const [index, entry] of entries.entries()) {
        const path = `/price/${entry['symbol']}${toQuery(network)}`
        const isAtPath = entry['url'] === client.baseUrl + path
        expectThat(isAtPath, list, `${formatText(path)} is at ${formatValue(entry['url'])}`)
        if (index >= feedsToRead) continue
        const reply = await client.ask(path)
        if (reply.fields['type'] === toProblemType('feed-unreadable') && 'problem' in entry) continue
        expectRead(reply, network)
        // Another function returned the list, and that function may have another version.
        const other = ['symbol', 'feed', 'token'].find(name => reply.fields[name] !== entry[name])
        expectThat(other === undefined, reply, `its ${other} is not that of the list`)
      }
      const records = findRecords(client, network)
      if (records.length > 0 && records.length >= entries.length / 2) return
      throw toNetworkError(network, `${records.length} of ${entries.length} feeds can be read`)
    },
  }))

/** No network has this name, so a request for it is 400. */
const unknown = 'smoke-test'

/** One request of a sequence. */
interface Step {
  /**
   * The end of the path, after the symbol. `OTHER` is the other network, or `unknown` if no symbol has a price on both.
   */
  readonly end: string
  /** What the reply must be: the price of the default or of the other network, a refusal (400), or anything. */
  readonly expected: 'default' | 'other' | 'refusal' | 'anything'
}

interface Sequence {
  readonly name: string
  readonly steps: readonly Step[]
}

/**
 * Sequences of requests for one price, before the last steps that all of them have.
 *
 * API Gateway may decode a name, and may split at a semicolon, so any reply to such a request itself is accepted.
 */
const sequences: readonly Sequence[] = [
  { name: 'the cache keys on the network', steps: [] },
  { name: 'an empty network is the default', steps: [{ end: '?network=', expected: 'default' }] },
  {
    name: 'the last of repeated networks counts',
    steps: [
      { end: `?network=${defaultNetwork}&network=OTHER`, expected: 'other' },
      { end: `?network=OTHER&network=${defaultNetwork}`, expected: 'default' },
    ],
  },
  {
    name: 'no caller can store an error for others',
    steps: [
      { end: `?network=${defaultNetwork}&network=${unknown}`, expected: 'refusal' },
      { end: `?network=${unknown}&network=OTHER`, expected: 'other' },
    ],
  },
  {
    name: 'a trailing slash changes nothing',
    steps: [
      { end: '/?network=OTHER', expected: 'other' },
      { end: '/', expected: 'default' },
    ],
  },
  {
    name: 'the reply to an encoded name is stored for no other request',
    steps: [{ end: '?%6Eetwork=OTHER', expected: 'anything' }],
  },
  {
    name: 'the reply to a name after a semicolon is stored for no other request',
    steps: [{ end: '?x=1;network=OTHER', expected: 'anything' }],
  },
]

/**
 * The last steps of every sequence. If a key of the cache is wrong, the reply to one of them is that of an earlier
 * step: any caller could make the cache send others the price of another network, or an error.
 */
const lastSteps: readonly Step[] = [
  { end: '', expected: 'default' },
  { end: `?network=${defaultNetwork}`, expected: 'default' },
  { end: '?network=OTHER', expected: 'other' },
]

/** Checks that the cache keys on all that a reply depends on, and that symbols are accepted in any case. */
const keyChecks: readonly Check[] = sequences.map(({ name, steps }, index) => ({
  name,
  async run(client) {
    const { symbol, other } = findSymbol(client)
    // A spelling that no other sequence requests, so that the cache has no entry of it.
    const path = `/price/${spell(symbol, index + 2)}`
    for (const { end, expected } of [...steps, ...lastSteps]) {
      const reply = await client.ask(path + end.replace('OTHER', other))
      if (expected === 'default') expectRead(reply, defaultNetwork)
      if (expected === 'other') expectOther(reply, other)
      if (expected === 'refusal') expectRefusal(reply)
    }
  },
}))

/** Expects a reply of the network that is not the default one. */
function expectOther(reply: Reply, other: string): void {
  // A problem of the other network proves the key of the cache as its price does.
  if (isUnavailable(reply)) return
  if (isNetwork(other)) expectRead(reply, other)
  else expectRefusal(reply)
}

function expectRefusal(reply: Reply): void {
  expectThat(reply.status === 400, reply, 'not 400')
}

/**
 * Finds a symbol that has a record on the default network, and on another one if there is such a symbol.
 *
 * @returns the symbol, and the other network on which it has a record, or `unknown` if there is none
 */
function findSymbol(client: Client): { readonly symbol: string; readonly other: string } {
  const listSymbols = (network: Network) => findRecords(client, network).map(({ symbol }) => String(symbol))
  // Four letters have more spellings than there are sequences.
  const symbols = listSymbols(defaultNetwork).filter(symbol => /^[a-z]{4}/i.test(symbol))
  for (const other of [...networks.slice(1), unknown]) {
    const symbol = symbols.find(candidate => !isNetwork(other) || listSymbols(other).includes(candidate))
    if (symbol !== undefined) return { symbol, other }
  }
  throw new Noted('no record of the list has a symbol of four letters')
}

/**
 * Spells a symbol as no caller does: a letter is in upper case if the bit of a number at its place is 1. The cache keys
 * on the spelling, so no caller gets a reply that is stored for it.
 */
function spell(symbol: string, bits: number): string {
  const letters = [...symbol.toLowerCase()]
  return letters.map((letter, at) => ((bits >> at) & 1 ? letter.toUpperCase() : letter)).join('')
}

const documents = documentRoutes.map(({ path }) => path)
const paths = ['/price', '/price/NONE', ...documents]
const anyHeader = { 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'x-smoke' }

interface OtherRequest {
  readonly path: string
  /** GET by default. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The statuses that the reply may have. */
  readonly statuses: readonly number[]
}

/**
 * Other requests, with the statuses that their replies may have. No caller requests these symbols and networks, so no
 * caller gets a stored reply to one of these requests.
 */
const requests: readonly OtherRequest[] = [
  ...networks.map(network => ({ path: `/price/NONE${toQuery(network)}`, statuses: [404] })),
  { path: '/price?network=x', statuses: [400] },
  { path: '/price/NONE?network=x', statuses: [400] },
  { path: '/prices', statuses: [404] },
  { path: '/price/NONE/more', statuses: [404] },
  // API Gateway could take the header for a signature, and refuse it with another status.
  { path: '/prices', headers: { Authorization: 'x' }, statuses: [404] },
  { path: '/price', method: 'POST', statuses: [404] },
  { path: '/price/NONE', method: 'DELETE', statuses: [404] },
  { path: '/price', method: 'HEAD', statuses: [200] },
  ...documents.map(path => ({ path, method: 'HEAD', statuses: [200] })),
  ...paths.map(path => ({ path, method: 'OPTIONS', headers: anyHeader, statuses: [204] })),
  // If this were a server error, any caller could make an alarm notify the operators.
  ...paths.map(path => ({ path, method: 'OPTIONS', headers: { 'Content-Type': 'text/plain' }, statuses: [204, 415] })),
  ...documents.map(path => ({ path, headers: { Accept: 'text/html' }, statuses: [200] })),
  ...documents.map(path => ({ path, headers: { Accept: 'application/json' }, statuses: [200] })),
]

/** API Gateway creates a cache, or changes its size, in up to four minutes. */
const creationMs = 240_000

/** The pause between two requests. It is shorter than the time to live, so the second request can be a hit. */
const pollMs = 5_000

/** After this long, no cache has the entry of a reply any longer. */
const goneMs = 1_000 * freshSeconds + 1_500

/**
 * Checks that two requests for a list, and two for a price, get one read, which is not the read that an earlier request
 * of the run got. Where nothing is expected to be cached, they must get two reads.
 */
const toCacheCheck = (hasCache: boolean): Check => ({
  name: hasCache ? `a list and a price are cached for ${freshSeconds} s` : 'no list and no price is cached',
  async run(client) {
    for (const { path, text, arrivedAt } of client.replies.filter(isRead).slice(0, 2)) {
      await sleep(Math.max(0, arrivedAt + goneMs - performance.now()))
      let previous = await client.ask(path)
      let latest = await client.ask(path)
      expectThat(previous.text !== text, previous, `the read of more than ${freshSeconds} s ago`)
      const isHit = () => latest.text === previous.text
      if (hasCache && !isHit()) console.log('No hit of the cache yet. Waiting up to 4 minutes for one.')
      while (hasCache && !isHit() && performance.now() < client.beganAt + creationMs) {
        await sleep(pollMs)
        previous = latest
        latest = await client.ask(path)
      }
      expectThat(isRead(previous) && isRead(latest), latest, 'not a success')
      expectThat(isHit() === hasCache, latest, hasCache ? 'another read than the reply before' : 'a hit of a cache')
    }
  },
})

/** Creates a check of all replies up to now. */
export const ofReplies = (name: string, expectReply: (reply: Reply) => void): Check => ({
  name,
  run: ({ replies }) => replies.forEach(expectReply),
})

/**
 * The checks of replies that the probe makes too: it may be older than the functions, and must accept additions (D30).
 */
const servedChecks: readonly Check[] = [
  ofReplies('every request is answered, for any origin', reply => {
    // A request without a response has no headers either, so it is found here too.
    const origin = reply.headers.get('access-control-allow-origin')
    expectThat(origin === cors.origin, reply, `Access-Control-Allow-Origin is ${formatValue(origin)}`)
    expectThat(!reply.headers.has('access-control-allow-credentials'), reply, 'with credentials')
  }),
  ofReplies(`a success is at most ${freshSeconds} s old, and expires`, reply => {
    if (!isRead(reply)) return
    const { headers, fields } = reply
    const toSeconds = (name: string) => (Date.parse(`${headers.get(name)}`) - Date.parse(`${fields['readAt']}`)) / 1_000
    const sent = toSeconds('date')
    const expires = toSeconds('expires')
    const age = Number(headers.get('age'))
    // The clocks of a function (`readAt`) and of the gateway (`Date`) may differ.
    expectThat(sent <= freshSeconds + 2, reply, `sent ${sent} s after its read`)
    expectThat(expires > 0 && expires <= freshSeconds, reply, `expires ${expires} s after its read`)
    expectThat(age <= freshSeconds, reply, `${age} s old in a cache`)
  }),
]

/** @param hasCache whether the stage is expected to cache */
export const listChecks = (hasCache: boolean): readonly Check[] => [
  ...listNetworkChecks(Number.POSITIVE_INFINITY),
  ...keyChecks,
  {
    name: 'other requests have their status',
    async run(client) {
      for (const { path, method, headers, statuses } of requests) {
        const reply = await client.ask(path, method, headers)
        expectThat(statuses.includes(reply.status), reply, `not ${statuses.join(' or ')}`)
      }
    },
  },
  toCacheCheck(hasCache),
  ...servedChecks,
]

/** The maximum age of a price. No weekend with its holidays is as long. */
const maxAgeSeconds = 7 * 86_400

/**
 * Finds that the publishers have moved to other feeds, and have left ours with old prices. The probe alone has this
 * check, because old prices must not prevent a release.
 */
const recentPriceCheck: Check = {
  name: `${defaultNetwork}: a price is of the last seven days`,
  run(client) {
    const ages = findRecords(client, defaultNetwork).map(({ ageSeconds }) => ageSeconds)
    // Without a record, the check of the list has failed, and nothing is known of the publishers.
    if (ages.length === 0) return
    if (ages.some(age => typeof age === 'number' && age < maxAgeSeconds)) return
    throw new Error(`the ages in seconds are ${formatValue(ages)}`)
  },
}

export const probeChecks: readonly Check[] = [...listNetworkChecks(1), recentPriceCheck, ...servedChecks]
