import { setTimeout as sleep } from 'node:timers/promises'
import { freshSeconds } from '../../api/headers.ts'
import { defaultNetwork, isNetwork, type Network, networks } from '../../api/networks.ts'
import type { Client, Reply } from './client.ts'
import { expectRead, isRead, isUnavailable, listRecords } from './network-checks.ts'
import { type Check, expectThat, Noted } from './run-checks.ts'

/** No network has this name, so a request for it is 400. */
const unknown = 'smoke-test'

/** One request of a sequence. */
interface Step {
  /**
   * Returns the end of the path, after the symbol.
   *
   * @param other the other network, or `unknown` if no symbol has a price on both
   */
  readonly toEnd: (other: string) => string
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
  { name: 'an empty network is the default', steps: [{ toEnd: () => '?network=', expected: 'default' }] },
  {
    name: 'the last of repeated networks counts',
    steps: [
      { toEnd: other => `?network=${defaultNetwork}&network=${other}`, expected: 'other' },
      { toEnd: other => `?network=${other}&network=${defaultNetwork}`, expected: 'default' },
    ],
  },
  {
    name: 'no caller can store an error for others',
    steps: [
      { toEnd: () => `?network=${defaultNetwork}&network=${unknown}`, expected: 'refusal' },
      { toEnd: other => `?network=${unknown}&network=${other}`, expected: 'other' },
    ],
  },
  {
    name: 'a trailing slash changes nothing',
    steps: [
      { toEnd: other => `/?network=${other}`, expected: 'other' },
      { toEnd: () => '/', expected: 'default' },
    ],
  },
  {
    name: 'the reply to an encoded name is stored for no other request',
    steps: [{ toEnd: other => `?%6Eetwork=${other}`, expected: 'anything' }],
  },
  {
    name: 'the reply to a name after a semicolon is stored for no other request',
    steps: [{ toEnd: other => `?x=1;network=${other}`, expected: 'anything' }],
  },
]

/**
 * The last steps of every sequence. If a key of the cache is wrong, the reply to one of them is that of an earlier
 * step: any caller could make the cache send others the price of another network, or an error.
 */
const lastSteps: readonly Step[] = [
  { toEnd: () => '', expected: 'default' },
  { toEnd: () => `?network=${defaultNetwork}`, expected: 'default' },
  { toEnd: other => `?network=${other}`, expected: 'other' },
]

/** Checks that the cache keys on all that a reply depends on, and that symbols are accepted in any case. */
export const keyChecks: readonly Check[] = sequences.map(({ name, steps }, index) => ({
  name,
  async run(client) {
    const { symbol, other } = findSymbol(client)
    // A spelling that no other sequence requests, so that the cache has no entry of it.
    const path = `/price/${spell(symbol, index + 2)}`
    for (const { toEnd, expected } of [...steps, ...lastSteps]) {
      const reply = await client.ask(path + toEnd(other))
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
  const listSymbols = (network: Network) => listRecords(client, network).map(({ symbol }) => String(symbol))
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
export const toCacheCheck = (hasCache: boolean): Check => ({
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
