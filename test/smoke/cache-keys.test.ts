import { expect, test } from 'vitest'
import { checkKeys, findTarget, spell } from '../../smoke/cache-keys.ts'
import { createClientOf, toReply } from '../support/smoke/reply.ts'

const toNetwork = (slug: string) => ({ slug, query: `?network=${slug}`, name: slug, chainId: slug })
const toList = (slug: string, ...symbols: string[]) => ({
  network: toNetwork(slug),
  reply: toReply('/price', {}),
  entries: symbols.map(symbol => (symbol === 'BROKEN' ? { symbol, problem: {} } : { symbol })),
})

test('the target is a readable symbol of two networks that begins with three letters', () => {
  const lists = [toList('a', 'GE', 'BROKEN', 'AMD', 'IBM'), toList('b', 'GE', 'BROKEN', 'IBM'), toList('c', 'AMD')]
  expect(findTarget(lists)).toEqual({ symbol: 'IBM', networks: [toNetwork('a'), toNetwork('b')] })
})

test('a symbol is spelled in five ways that people do not use', () => {
  const spelled = [0, 1, 2, 3, 4].map(index => spell('labTSLA', index))
  expect(spelled).toEqual(['lAbtsla', 'LAbtsla', 'laBtsla', 'LaBtsla', 'lABtsla'])
})

/** How a service differs from ours. */
interface Service {
  /** @param place the path without a slash at its end */
  readonly toKey?: (place: string, networks: readonly string[]) => string
  /** What its replies are at a path. */
  readonly alter?: (path: string) => { readonly status?: number; readonly symbol?: string }
}

/** Checks a service of the networks a and b. Returns the names of the checks that fail. */
async function check({ toKey = (place, of) => `${place} ${of.at(-1)}`, alter = () => ({}) }: Service) {
  const stored = new Map<string, { readonly status: number }>()
  const client = createClientOf(path => {
    const [place = '', query] = path.split('?')
    const networks = new URLSearchParams(query).getAll('network')
    const status = networks.at(-1) === 'smoke-test' ? 400 : 200
    const response = { status, chainId: networks.at(-1) || 'a', symbol: 'IBM', ...alter(path) }
    const key = toKey(place.replace(/\/$/, ''), networks)
    const cached = stored.get(key) ?? response
    stored.set(key, cached)
    return toReply(path, cached, {}, cached.status)
  })
  const checks = await checkKeys(client, { symbol: 'IBM', networks: [toNetwork('a'), toNetwork('b')] })
  return checks.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name)
}

const [byNetwork, empty] = ['the cache keys on the network', 'an empty network is the default']
const [last, errors] = ['of repeated networks the last counts', 'no caller can store an error for others']
const slash = 'a trailing slash changes nothing'

test.each<[string, Service, string[]]>([
  ['our cache', {}, []],
  ['a cache without the network in its key', { toKey: place => place }, [byNetwork, empty, last, errors, slash]],
  ['a cache with the first network in its key', { toKey: (place, of) => `${place} ${of[0]}` }, [last, errors]],
  ['another feed', { alter: () => ({ symbol: 'NFLX' }) }, [byNetwork, empty, last, errors, slash]],
  ['no empty network', { alter: path => (path.endsWith('network=') ? { status: 400 } : {}) }, [empty]],
  ['no trailing slash', { alter: path => (/\/(\?|$)/.test(path) ? { status: 404 } : {}) }, [slash]],
  ['any network', { alter: path => (path.endsWith('smoke-test') ? { status: 200 } : {}) }, [errors]],
])('a service with %s has the expected mismatches', async (_, service, failed) => {
  expect(await check(service)).toEqual(failed)
})
