import { resolve6 } from 'node:dns/promises'
import { fill, type Target } from './cache.ts'
import { type Check, fieldsOf, formatAnswer, readAtMsOf, toCheck, toSkipped } from './check.ts'
import type { Client } from './client.ts'
import { shownMs } from './http.ts'

/** Ways to ask for one price and for the list, each of which an edge answers with the same read. */
const spellings = {
  price: ['/price/lower', '/price/UPPER', '/price/lower/', '/price/UPPER?network=DEFAULT&x=1'],
  list: ['/price', '/price?network=', '/price?x=1&network=DEFAULT', '/price?network=OTHER&network=DEFAULT'],
}

/** Another read may begin between two requests, when the answer expires. */
const maxTries = 3

/**
 * Checks what only an edge does: canonical keys, compression, IPv6, ages.
 */
export async function checkEdge(client: Client, target: Target | undefined): Promise<readonly Check[]> {
  const [ofPrice, ofList] = ['all spellings of a price are one read', 'all spellings of the list are one read']
  return [
    await checkOneRead(client, ofPrice, spellings.price, target),
    await checkOneRead(client, ofList, spellings.list, target),
    await checkCompression(client),
    await checkIpv6(new URL(client.baseUrl).hostname),
    checkAges(client),
  ]
}

async function checkOneRead(
  client: Client,
  name: string,
  templates: readonly string[],
  target: Target | undefined,
): Promise<Check> {
  if (target === undefined) return toSkipped(name, 'no symbol of two networks')
  const [lower, upper] = [target.symbol.toLowerCase(), target.symbol.toUpperCase()]
  const paths = templates.map(path => fill(path, target).replace('lower', lower).replace('UPPER', upper))
  let seen = ''
  for (let tries = 0; tries < maxTries; tries += 1) {
    const reads = new Set<unknown>()
    for (const path of paths) reads.add(fieldsOf((await client.ask(path)).exact)['readAt'])
    seen = `${reads.size} reads in ${paths.length} requests`
    if (reads.size === 1 && !reads.has(undefined)) return toCheck(name, [], seen)
  }
  return toCheck(name, [seen], '')
}

async function checkCompression(client: Client): Promise<Check> {
  const answers = []
  for (const encoding of ['br', 'gzip']) {
    const answer = await client.ask('/price', 'GET', { 'Accept-Encoding': encoding })
    answers.push({ answer, encoding })
  }
  const faults = answers.flatMap(({ answer, encoding }) => {
    const found = answer.headers.get('content-encoding')
    return found === encoding ? [] : [`${formatAnswer(answer)}, asked for ${encoding}, got ${found ?? 'none'}`]
  })
  return toCheck('the list is compressed', faults, 'br, gzip')
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

/** Checks the header that only a cache adds: how long ago it got the answer. */
function checkAges({ answers }: Client): Check {
  const aged = answers.filter(answer => readAtMsOf(answer) !== undefined && answer.headers.has('age'))
  const old = aged.filter(({ headers }) => Number(headers.get('age')) * 1_000 > shownMs)
  const faults = old.map(answer => `${formatAnswer(answer)} has the age ${answer.headers.get('age')}`)
  return toCheck('no price has an age above 10 s', faults, `${aged.length} answers with an age`)
}
