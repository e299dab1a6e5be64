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
import { mainnet, testnet } from './record.ts'

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

/** A symbol that both networks have, and ways to write it. */
export interface Target {
  readonly symbol: string
  /** Callers do not use these. The cache keys on the path as sent, so their entries are this run's alone. */
  readonly spellings: readonly string[]
}

/** Finds the longest symbol that both networks have. */
export function findTarget(lists: readonly List[]): Target | undefined {
  const [first = [], ...others] = lists.map(({ entries }) => entries.filter(one => !('problem' in one)).map(symbolOf))
  const shared = first.filter(symbol => others.every(other => other.includes(symbol)))
  const [symbol] = shared.toSorted((a, b) => b.length - a.length)
  if (symbol === undefined) return undefined
  const [lower, upper] = [symbol.toLowerCase(), symbol.toUpperCase()]
  const mix = (text: string, other: string) => [...text].map((_, i) => text.slice(0, i) + other[i] + text.slice(i + 1))
  const usual = [symbol, lower, upper, upper.slice(0, 1) + lower.slice(1)]
  return { symbol, spellings: [...new Set([...mix(upper, lower), ...mix(lower, upper)]).difference(new Set(usual))] }
}

/**
 * Sequences of requests for one price, in which an answer that is stored under a wrong key appears in a later one.
 *
 * Where one fails, any caller can make the cache answer others with another network or an error.
 */
const sequences = {
  'the cache keys on the network': ['', '?network=testnet'],
  'an empty network is the mainnet': ['?network=', '', '?network=testnet', '?network='],
  'of repeated networks the last counts': [
    ...['?network=mainnet&network=testnet', '?network=testnet&network=mainnet'],
    ...['?network=mainnet', '?network=testnet'],
  ],
  'no caller can store an error for others': [
    ...['?network=mainnet&network=smoke-test', '?network=mainnet'],
    ...['?network=smoke-test&network=testnet', '?network=testnet'],
  ],
  'a trailing slash changes nothing': ['/?network=testnet', '/', '', '?network=testnet'],
}

/** Checks that the cache keys on all that an answer depends on, and that symbols are accepted in any case. */
export async function checkKeys(client: Client, target: Target | undefined): Promise<readonly Check[]> {
  const checks: Check[] = []
  for (const [index, [name, suffixes]] of Object.entries(sequences).entries()) {
    const spelling = target?.spellings[index]
    const faults: string[] = []
    for (const suffix of spelling === undefined ? [] : suffixes) {
      const answer = await client.ask(`/price/${spelling}${suffix}`)
      if (!isExpected(answer, target?.symbol)) faults.push(formatAnswer(answer))
    }
    const detail = `${target?.symbol} as ${spelling}: ${suffixes.length} requests`
    checks.push(spelling === undefined ? toSkipped(name, 'no symbol of both networks') : toCheck(name, faults, detail))
  }
  return checks
}

/** Whether an answer is of the last network in its query, or of the mainnet without one. */
function isExpected({ path, status, exact }: Answer, symbol: string | undefined): boolean {
  const record = fieldsOf(exact)
  const slug = new URLSearchParams(path.split('?')[1]).getAll('network').at(-1) || mainnet.slug
  const network = [mainnet, testnet].find(one => one.slug === slug)
  if (network === undefined) return status === 400
  return status === 200 && record['chainId'] === network.chainId && record['symbol'] === symbol
}

/** Checks that the cache does not repeat a failure of the mainnet. An unreadable feed does not count: it remains so. */
export async function checkFailure(client: Client): Promise<Check> {
  const name = 'a failure is not cached for other callers'
  const failed = client.answers.findLast(
    answer => answer.status >= 500 && /^\/price(\/[^/?]+)?$/.test(answer.path) && slugOf(answer) !== 'feed-unreadable',
  )
  if (failed === undefined) return toSkipped(name, 'no failure of the mainnet')
  const again = await client.ask(failed.path)
  // The same request, but another key.
  const fresh = await client.ask(`${failed.path}?network=mainnet`)
  const seen = `${formatAnswer(again)}, with ?network=mainnet ${formatOutcome(fresh)}`
  if (again.status >= 500 && fresh.status >= 500) return toSkipped(name, seen)
  return toCheck(name, again.status >= 500 ? [seen] : [], seen)
}
