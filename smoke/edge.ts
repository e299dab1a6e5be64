import { resolve6 } from 'node:dns/promises'
import type { Target } from './cache-keys.ts'
import { type Check, formatReply, toCheck, toSkipped } from './check.ts'
import type { Client } from './client.ts'

/** Ways to ask for one price, and for the list. An edge answers each of them with the same read. */
function toSpellings({ symbol, networks: [{ slug: first }, { slug: other }] }: Target) {
  const [lower, upper] = [`/price/${symbol.toLowerCase()}`, `/price/${symbol.toUpperCase()}`]
  return {
    'all spellings of a price are one read': [lower, upper, `${lower}/`, `${upper}?network=${first}&x=1`],
    'all spellings of the list are one read': [
      '/price',
      '/price?network=',
      `/price?x=1&network=${first}`,
      `/price?network=${other}&network=${first}`,
    ],
  }
}

/** Another read may begin between two requests, when the reply expires. */
const maxTries = 3

/** Checks what only an edge does: canonical keys, compression, IPv6. */
export async function checkEdge(client: Client, target: Target | undefined): Promise<readonly Check[]> {
  const keys = await checkSpellings(client, target)
  return [...keys, await checkCompression(client), await checkIpv6(new URL(client.baseUrl).hostname)]
}

async function checkSpellings(client: Client, target: Target | undefined): Promise<readonly Check[]> {
  if (target === undefined) return [toCheck('the keys of the edge', ['no symbol of two networks'], '')]
  const checks: Check[] = []
  for (const [name, paths] of Object.entries(toSpellings(target))) checks.push(await checkOneRead(client, name, paths))
  return checks
}

async function checkOneRead(client: Client, name: string, paths: readonly string[]): Promise<Check> {
  let seen = ''
  for (let tries = 0; tries < maxTries; tries += 1) {
    const reads = new Set<unknown>()
    for (const path of paths) reads.add((await client.ask(path)).fields['readAt'])
    seen = `${reads.size} reads in ${paths.length} requests`
    if (reads.size === 1 && !reads.has(undefined)) return toCheck(name, [], seen)
  }
  return toCheck(name, [seen], '')
}

async function checkCompression(client: Client): Promise<Check> {
  const mismatches: string[] = []
  for (const encoding of ['br', 'gzip']) {
    const reply = await client.ask('/price', 'GET', { 'Accept-Encoding': encoding })
    const found = reply.headers.get('content-encoding')
    if (found !== encoding) mismatches.push(`${formatReply(reply)}, asked for ${encoding}, got ${found ?? 'none'}`)
  }
  return toCheck('the list is compressed', mismatches, 'br, gzip')
}

/** @param resolve looks up the addresses of a name; throws when there are none */
export async function checkIpv6(
  host: string,
  resolve: (name: string) => Promise<readonly string[]> = resolve6,
): Promise<Check> {
  const name = 'the name has an IPv6 address'
  if (!/\.[a-z]+$/i.test(host)) return toSkipped(name, `${host} is not a name`)
  const addresses = await resolve(host).catch(() => [])
  return toCheck(name, addresses.length === 0 ? [`${host} has none`] : [], addresses.slice(0, 1).join())
}
