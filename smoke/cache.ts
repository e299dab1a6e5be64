import {
  type Answer,
  type Check,
  fieldsOf,
  formatAnswer,
  formatOutcome,
  readAtMsOf,
  slugOf,
  toCheck,
  toSkipped,
} from './check.ts'
import type { Client } from './client.ts'
import { shownMs } from './http.ts'
import { type List, symbolOf } from './prices.ts'
import type { Network } from './record.ts'

/** API Gateway does not promise a hit, and an entry can end between two requests. */
const maxTries = 4

/** How long after its time an entry must be gone. */
const marginMs = 1_500

/**
 * Checks that a path is answered from the cache; or, of a stage without one, by a new read.
 *
 * @param first the latest answer of that path
 */
export async function checkReplay(client: Client, first: Answer, caches: boolean): Promise<Check> {
  const name = `${toRoute(first)} asked twice is ${caches ? 'one read' : 'two reads'}`
  let last = first
  for (let tries = 0; tries < maxTries; tries += 1) {
    const next = await client.ask(first.path)
    const seen = `${formatRead(last)}, then ${formatRead(next)}`
    const isReplay = isSameRead(last, next)
    if (isReplay || !caches) return toCheck(name, isReplay === caches ? [] : [seen], seen)
    last = next
  }
  return toCheck(name, [`no hit in ${maxTries + 1} requests, at last ${formatRead(last)}`], '')
}

/** Waits until an answer must not be repeated any more, and checks that. */
export async function checkFresh({ ask, clock }: Client, first: Answer): Promise<Check> {
  const name = `${toRoute(first)} is read again after ${shownMs / 1_000} s`
  await clock.sleep(Math.max(0, first.receivedAtMs + shownMs + marginMs - clock.nowMs()))
  const later = await ask(first.path)
  const seconds = ((later.receivedAtMs - first.receivedAtMs) / 1_000).toFixed(1)
  const seen = `${formatRead(first)}, ${seconds} s later ${formatRead(later)}`
  if (readAtMsOf(later) === undefined) return toSkipped(name, seen)
  return toCheck(name, isSameRead(first, later) ? [seen] : [], seen)
}

function toRoute({ path }: Answer): string {
  return path.startsWith('/price/') ? 'GET /price/{symbol}' : 'GET /price'
}

function isSameRead(one: Answer, other: Answer): boolean {
  const [a, b] = [fieldsOf(one.exact), fieldsOf(other.exact)]
  return readAtMsOf(one) !== undefined && ['readAt', 'block', 'chainId'].every(name => a[name] === b[name])
}

function formatRead(answer: Answer): string {
  return `${formatOutcome(answer)} ${String(fieldsOf(answer.exact)['readAt'] ?? '').slice(11, 23)}`
}

/** A symbol that the default network and another have, and ways to write it. */
export interface Target {
  readonly symbol: string
  readonly networks: readonly [Network, Network]
  /** Callers do not use these. The cache keys on the path as sent, so their entries are this run's alone. */
  readonly spellings: readonly string[]
}

/** Finds the longest symbol that the default network, whose list is the first, shares with another. */
export function findTarget([first, ...others]: readonly List[]): Target | undefined {
  const symbolsOf = (list: List) => list.entries.filter(one => !('problem' in one)).map(symbolOf)
  const shared = others.flatMap(other => {
    const symbols = new Set(symbolsOf(other))
    return first === undefined
      ? []
      : symbolsOf(first)
          .filter(symbol => symbols.has(symbol))
          .map(symbol => ({ symbol, networks: [first.network, other.network] as const }))
  })
  const [found] = shared.toSorted((a, b) => b.symbol.length - a.symbol.length)
  if (found === undefined) return undefined
  const { symbol } = found
  const [lower, upper] = [symbol.toLowerCase(), symbol.toUpperCase()]
  const mix = (text: string, other: string) => [...text].map((_, i) => text.slice(0, i) + other[i] + text.slice(i + 1))
  const usual = [symbol, lower, upper, upper.slice(0, 1) + lower.slice(1)]
  return { ...found, spellings: [...new Set([...mix(upper, lower), ...mix(lower, upper)]).difference(new Set(usual))] }
}

/**
 * Sequences of requests for one price, in which an answer that is stored under a wrong key appears in a later one.
 *
 * Where one fails, any caller can make the cache answer others with another network or an error.
 */
const sequences = {
  'the cache keys on the network': ['', '?network=OTHER'],
  'an empty network is the default': ['?network=', '', '?network=OTHER', '?network='],
  'of repeated networks the last counts': [
    ...['?network=DEFAULT&network=OTHER', '?network=OTHER&network=DEFAULT'],
    ...['?network=DEFAULT', '?network=OTHER'],
  ],
  'no caller can store an error for others': [
    ...['?network=DEFAULT&network=smoke-test', '?network=DEFAULT'],
    ...['?network=smoke-test&network=OTHER', '?network=OTHER'],
  ],
  'a trailing slash changes nothing': ['/?network=OTHER', '/', '', '?network=OTHER'],
}

/** Replaces `DEFAULT` and `OTHER` in a path by the networks of a target. */
export function fill(path: string, { networks: [first, other] }: Target): string {
  return path.replaceAll('DEFAULT', first.slug).replaceAll('OTHER', other.slug)
}

/** Checks that the cache keys on all that an answer depends on, and that symbols are accepted in any case. */
export async function checkKeys(client: Client, target: Target | undefined): Promise<readonly Check[]> {
  const checks: Check[] = []
  for (const [index, [name, suffixes]] of Object.entries(sequences).entries()) {
    const spelling = target?.spellings[index]
    if (target === undefined || spelling === undefined) {
      checks.push(toSkipped(name, 'no symbol of two networks'))
      continue
    }
    const faults: string[] = []
    for (const suffix of suffixes) {
      const answer = await client.ask(`/price/${spelling}${fill(suffix, target)}`)
      if (!isExpected(answer, target)) faults.push(formatAnswer(answer))
    }
    checks.push(toCheck(name, faults, `${target.symbol} as ${spelling}: ${suffixes.length} requests`))
  }
  return checks
}

/** Whether an answer is of the last network in its query, or of the default without one. */
function isExpected({ path, status, exact }: Answer, { symbol, networks }: Target): boolean {
  const record = fieldsOf(exact)
  const slug = new URLSearchParams(path.split('?')[1]).getAll('network').at(-1) || networks[0].slug
  const network = networks.find(one => one.slug === slug)
  if (network === undefined) return status === 400
  return status === 200 && record['chainId'] === network.chainId && record['symbol'] === symbol
}

/** Checks that the cache does not repeat a failure of the default network. An unreadable feed does not count: it remains so. */
export async function checkFailure(client: Client, [first]: readonly Network[]): Promise<Check> {
  const name = 'a failure is not cached for other callers'
  const failed = client.answers.findLast(
    answer => answer.status >= 500 && /^\/price(\/[^/?]+)?$/.test(answer.path) && slugOf(answer) !== 'feed-unreadable',
  )
  if (failed === undefined) return toSkipped(name, 'no failure of the default network')
  const again = await client.ask(failed.path)
  // The same request, but another key.
  const query = `?network=${first?.slug}`
  const fresh = await client.ask(failed.path + query)
  const seen = `${formatAnswer(again)}, with ${query} ${formatOutcome(fresh)}`
  if (again.status >= 500 && fresh.status >= 500) return toSkipped(name, seen)
  return toCheck(name, again.status >= 500 ? [seen] : [], seen)
}
