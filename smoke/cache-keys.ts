import { type Check, formatReply, toCheck } from './check.ts'
import type { Client, Reply } from './client.ts'
import { isRecord, type List } from './prices.ts'
import type { Network } from './record.ts'

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
 * Sequences of requests for one price, as ends of its path. A reply that is stored under a wrong key appears in a later one.
 *
 * Where one fails, any caller can make the cache send others the price of another network, or an error.
 */
const toSequences = ([{ slug: first }, { slug: other }]: Target['networks']) => ({
  'the cache keys on the network': ['', `?network=${other}`],
  'an empty network is the default': ['?network=', '', `?network=${other}`, '?network='],
  'of repeated networks the last counts': [
    `?network=${first}&network=${other}`,
    `?network=${other}&network=${first}`,
    `?network=${first}`,
    `?network=${other}`,
  ],
  'no caller can store an error for others': [
    `?network=${first}&network=smoke-test`,
    `?network=${first}`,
    `?network=smoke-test&network=${other}`,
    `?network=${other}`,
  ],
  'a trailing slash changes nothing': [`/?network=${other}`, '/', '', `?network=${other}`],
})

/** Checks that the cache keys on all that a reply depends on, and that symbols are accepted in any case. */
export async function checkKeys(client: Client, target: Target): Promise<readonly Check[]> {
  const checks: Check[] = []
  for (const [index, [name, ends]] of Object.entries(toSequences(target.networks)).entries()) {
    const path = `/price/${spell(target.symbol, index)}`
    const mismatches: string[] = []
    for (const end of ends) {
      const reply = await client.ask(path + end)
      if (!isExpected(reply, target)) mismatches.push(formatReply(reply))
    }
    checks.push(toCheck(name, mismatches, `${path}: ${ends.length} requests`))
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
