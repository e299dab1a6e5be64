import { defaultNetwork, type Network, networks } from '../api/networks.ts'
import { type Check, expectNone, Finding, formatReply } from './check.ts'
import { type Client, type Reply, textOf } from './client.ts'
import { findNetworkMismatches, findRecords, isPlain, isUnavailable, toNetwork } from './prices.ts'

const initial = defaultNetwork
const second = networks.find(network => network !== initial)
const unknown = 'smoke-test'

/**
 * Lists sequences of requests for one price, as ends of its path. If a key is wrong, a later request gets an earlier
 * reply.
 *
 * Where one fails, any caller can make the cache send others the price of another network, or an error.
 * The other network is another than the default, or an unknown one.
 */
const sequences: Readonly<Record<string, (other: string) => readonly string[]>> = {
  'the cache keys on the network': other => ['', `?network=${other}`],
  'an empty network is the default': other => ['?network=', '', `?network=${other}`, '?network='],
  'of repeated networks the last counts': other => [
    `?network=${initial}&network=${other}`,
    `?network=${other}&network=${initial}`,
    `?network=${initial}`,
    `?network=${other}`,
  ],
  'no caller can store an error for others': other => [
    `?network=${initial}&network=${unknown}`,
    `?network=${initial}`,
    `?network=${unknown}&network=${other}`,
    `?network=${other}`,
  ],
  'a trailing slash changes nothing': other => [`/?network=${other}`, '/', '', `?network=${other}`],
  'an encoded name is stored for no other request': other => [`?%6Eetwork=${other}`, '', `?network=${other}`],
  'a name after a semicolon is stored for no other request': other => [
    `?x=1;network=${other}`,
    '',
    `?network=${other}`,
  ],
}

/**
 * Checks that the cache keys on all that a reply depends on, and that symbols are accepted in any case.
 *
 * 1. Asks for a feed of the default and another network.
 * 2. If there is none, or the chain of the other network is unavailable, asks for a feed of the default alone, with an
 *    unknown network in place of the other.
 */
export const keyChecks: readonly Check[] = Object.entries(sequences).map(([name, toEnds], index) => ({
  name,
  async run(client) {
    const shared = second && listSymbols(client, [initial, second])[0]
    if (second && shared) {
      const path = toPath(shared, index)
      const replies = await askAll(client, path, toEnds(second))
      if (!replies.some(isOtherUnavailable)) return expectKeys(replies, path)
    }
    const path = toPricePath(client, index)
    return expectKeys(await askAll(client, path, toEnds(unknown)), `${path}, without another network`)
  },
}))

async function askAll(client: Client, path: string, ends: readonly string[]): Promise<readonly Reply[]> {
  const replies: Reply[] = []
  for (const end of ends) replies.push(await client.ask(path + end))
  return replies
}

function isOtherUnavailable(reply: Reply): boolean {
  return isUnavailable(reply) && toNetwork(reply.path) !== initial
}

function expectKeys(replies: readonly Reply[], path: string): string {
  const mismatches = replies.filter(isPlain).filter(reply => {
    const status = toNetwork(reply.path) === undefined ? 400 : 200
    return reply.status !== status || findNetworkMismatches(reply).length > 0
  })
  return expectNone(mismatches.map(formatReply), `${path}: ${replies.length} requests`)
}

/** The places of the letters in upper case, in spellings that callers do not use. */
const upperPlaces = [[1], [0, 1], [2], [0, 2], [1, 2], [3], [0, 3]]

/** Returns the path of a price of the default network, its symbol spelled as callers do not. */
export function toPricePath(client: Client, index: number): string {
  const symbol = listSymbols(client, [initial]).at(-1)
  if (symbol === undefined) throw new Finding('noted', 'no record of the list has a symbol of four letters')
  return toPath(symbol, index)
}

/** Lists the symbols of at least four letters that have a record in the lists of all these networks. */
function listSymbols(client: Client, of: readonly Network[]): readonly string[] {
  const lists = of.map(network => findRecords(client, network).map(({ symbol }) => textOf(symbol)))
  const [symbols = [], ...others] = lists
  return symbols.filter(symbol => /^[a-z]{4}/i.test(symbol) && others.every(list => list.includes(symbol)))
}

/** Spells the symbol in a path. The cache keys on the path as sent, so the entry is this run's alone. */
function toPath(symbol: string, index: number): string {
  const places = upperPlaces[index] ?? []
  const letters = [...symbol].map((letter, at) => (places.includes(at) ? letter.toUpperCase() : letter.toLowerCase()))
  return `/price/${letters.join('')}`
}
