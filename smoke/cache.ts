import { type Check, formatOutcome, formatReply, toCheck } from './check.ts'
import type { Client, Reply } from './client.ts'
import { isRead } from './http.ts'
import { isRecord, type List } from './prices.ts'
import type { Network } from './record.ts'

/** API Gateway does not guarantee a hit, and an entry can end between two requests. */
const maxTries = 4

/**
 * Checks that a path is answered from the cache; or, of a stage without one, by a new read.
 *
 * @param first the latest reply of that path, a success
 */
export async function checkReplay(client: Client, first: Reply, caches: boolean): Promise<Check> {
  const reads = [first]
  let isReplay = false
  do {
    const next = await client.ask(first.path)
    isReplay = isSameRead(next, reads.at(-1))
    reads.push(next)
  } while (caches && !isReplay && reads.length <= maxTries)
  const seen = reads.map(formatRead).join(', then ')
  const name = `${toRoute(first)} asked twice is ${caches ? 'one read' : 'two reads'}`
  return toCheck(name, isReplay === caches && reads.every(isRead) ? [] : [seen], seen)
}

/** Checks that a reply, which is too old by now, is not repeated. */
export async function checkFresh(client: Client, first: Reply): Promise<Check> {
  const later = await client.ask(first.path)
  const seen = `${formatRead(first)}, then ${formatRead(later)}`
  const isNew = isRead(later) && !isSameRead(later, first)
  return toCheck(`${toRoute(first)} is read again after 10 s`, isNew ? [] : [seen], seen)
}

function toRoute({ path }: Reply): string {
  return path.startsWith('/price/') ? 'GET /price/{symbol}' : 'GET /price'
}

/** Whether two successes are of one read: each read has its own `readAt`. */
export function isSameRead(one: Reply, other: Reply | undefined): boolean {
  return one.status === 200 && one.text === other?.text
}

function formatRead(reply: Reply): string {
  return `${formatOutcome(reply)} ${String(reply.fields['readAt'] ?? '').slice(11, 23)}`
}

/** A symbol that the default network and the next one have. */
export interface Target {
  readonly symbol: string
  readonly networks: readonly [Network, Network]
}

/** Finds a symbol of both networks that begins with three letters, which {@link spell} needs. */
export function findTarget([first, second]: readonly List[]): Target | undefined {
  if (first === undefined || second === undefined) return undefined
  const [symbols, others] = [first, second].map(({ entries }) =>
    entries.filter(isRecord).map(({ symbol }) => `${symbol}`),
  )
  const symbol = symbols?.find(one => /^[a-z]{3}/i.test(one) && others?.includes(one))
  return symbol === undefined ? undefined : { symbol, networks: [first.network, second.network] }
}

/** The places of the letters in upper case, in spellings that callers do not use. */
const upperPlaces = [[1], [0, 1], [2], [0, 2], [1, 2]]

/**
 * Spells a symbol as callers do not. The cache keys on the path as sent, so the entry is this run's alone.
 *
 * @param index of the spelling, from 0 to 4
 */
export function spell(symbol: string, index: number): string {
  const isUpper = (place: number) => upperPlaces[index]?.includes(place)
  return [...symbol].map((letter, at) => (isUpper(at) ? letter.toUpperCase() : letter.toLowerCase())).join('')
}

/**
 * Sequences of requests for one price, in which a reply that is stored under a wrong key appears in a later one.
 *
 * Where one fails, any caller can make the cache answer others with another network or an error.
 */
const sequences = {
  'the cache keys on the network': ['', '?network=OTHER'],
  'an empty network is the default': ['?network=', '', '?network=OTHER', '?network='],
  'of repeated networks the last counts': [
    '?network=DEFAULT&network=OTHER',
    '?network=OTHER&network=DEFAULT',
    '?network=DEFAULT',
    '?network=OTHER',
  ],
  'no caller can store an error for others': [
    '?network=DEFAULT&network=smoke-test',
    '?network=DEFAULT',
    '?network=smoke-test&network=OTHER',
    '?network=OTHER',
  ],
  'a trailing slash changes nothing': ['/?network=OTHER', '/', '', '?network=OTHER'],
}

/** Replaces `DEFAULT` and `OTHER` in a path by the networks of a target. */
export function fill(path: string, { networks: [first, other] }: Target): string {
  return path.replaceAll('DEFAULT', first.slug).replaceAll('OTHER', other.slug)
}

/** Checks that the cache keys on all that a reply depends on, and that symbols are accepted in any case. */
export async function checkKeys(client: Client, target: Target): Promise<readonly Check[]> {
  const checks: Check[] = []
  for (const [index, [name, suffixes]] of Object.entries(sequences).entries()) {
    const path = `/price/${spell(target.symbol, index)}`
    const mismatches: string[] = []
    for (const suffix of suffixes) {
      const reply = await client.ask(path + fill(suffix, target))
      if (!isExpected(reply, target)) mismatches.push(formatReply(reply))
    }
    checks.push(toCheck(name, mismatches, `${path}: ${suffixes.length} requests`))
  }
  return checks
}

/** Whether a reply is of the last network in its query, or of the default without one. */
function isExpected({ path, status, fields }: Reply, { symbol, networks }: Target): boolean {
  const slug = new URLSearchParams(path.split('?')[1]).getAll('network').at(-1) || networks[0].slug
  const network = networks.find(one => one.slug === slug)
  if (network === undefined) return status === 400
  return status === 200 && fields['chainId'] === network.chainId && fields['symbol'] === symbol
}
