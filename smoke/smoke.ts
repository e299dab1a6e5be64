import { parseArgs } from 'node:util'
import { checkFresh, checkReplay, observeCache } from './cache.ts'
import { checkKeys, findTarget, spell } from './cache-keys.ts'
import { type Check, toSkipped } from './check.ts'
import { type Client, createClient } from './client.ts'
import { askNetworks, checkDescription } from './description.ts'
import { checkReplies, checkRequests, isRead, shownMs } from './http.ts'
import { askList, checkPrices, type List } from './prices.ts'
import { toPrintable } from './printable.ts'

const help = `npm run smoke -- [options] https://api.example/v1

Checks a running Price Lookup. The URL is the output BaseUrl of its stack. Takes 12 to 30 seconds and 86 requests,
one after another, at most 10 per second.

  --no-cache   nothing caches: every reply must be a new read
  --help       print this text

Exit code: 0 when no check failed, 1 when one failed, 2 when the command is wrong.`

/** Bounds the time of a run. */
const maxFeeds = 100

/** How long after the time to live an entry of a cache must be gone. */
const marginMs = 1_500

if (import.meta.main) process.exitCode = await main(process.argv.slice(2))

export async function main(args: readonly string[]): Promise<number> {
  const options = parseOptions(args)
  if (typeof options === 'string') {
    console.error(toPrintable(options))
    return 2
  }
  const { baseUrl, isHelp, hasCache } = options
  if (isHelp) console.log(help)
  return isHelp ? 0 : await run(createClient(baseUrl), hasCache)
}

interface Options {
  /** Without a slash at its end. */
  readonly baseUrl: string
  readonly isHelp: boolean
  /** Whether the stage is expected to cache. */
  readonly hasCache: boolean
}

/** Parses the command's arguments. Returns one sentence for people if they are wrong. */
export function parseOptions(args: readonly string[]): string | Options {
  const options = {
    help: { type: 'boolean', short: 'h', default: false },
    'no-cache': { type: 'boolean', default: false },
  } as const
  try {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const [text = '', ...others] = positionals
    const { href = '' } = URL.parse(text) ?? {}
    if (!values.help && (others.length > 0 || !/^https?:[^@?#]+$/.test(href))) {
      return 'One URL is expected, http or https, without user, query and fragment: https://api.example/v1.'
    }
    const baseUrl = href.replace(/\/+$/, '')
    return { baseUrl, isHelp: values.help, hasCache: !values['no-cache'] }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Runs all checks and prints them. Returns the exit code. */
export async function run(client: Client, hasCache: boolean): Promise<number> {
  const { baseUrl, replies, clock } = client
  const beganAtMs = clock.nowMs()
  const checks = await runChecks(client, hasCache)
  const seconds = ((clock.nowMs() - beganAtMs) / 1_000).toFixed(1)
  const width = Math.max(...checks.map(({ name }) => name.length))
  const rows = checks.map(({ name, outcome, detail }) =>
    toPrintable(`  ${outcome.padEnd(7)}  ${name.padEnd(width)}  ${detail}`),
  )
  const [passed, failed, noted, skipped] = ['passed', 'failed', 'noted', 'skipped'].map(
    one => checks.filter(({ outcome }) => outcome === one).length,
  )
  const others = noted === 0 ? `${skipped} skipped` : `${noted} noted, ${skipped} skipped`
  const requests = `${replies.length} requests in ${seconds} s`
  console.log(`${baseUrl}\n\n${rows.join('\n')}\n\n${passed} passed, ${failed} failed, ${others}; ${requests}.`)
  return failed === 0 ? 0 : 1
}

/** Runs all checks. Without a usable description, its own is the only one. */
export async function runChecks(client: Client, hasCache: boolean): Promise<readonly Check[]> {
  // 1. Read the description, and the list of each network in it.
  const { networks, check } = await askNetworks(client)
  if (networks.length === 0) return [check]
  const lists: List[] = []
  for (const network of networks) lists.push(await askList(client, network))

  // 2. Ask for a price and a list again at once: a cache repeats them.
  const target = findTarget(lists)
  const prices = target === undefined ? [] : [await client.ask(`/price/${spell(target.symbol, 0)}`)]
  const ofLists = lists.slice(0, 1).map(({ reply }) => reply)
  const cached = [...prices, ...ofLists].filter(isRead)
  const endsAtMs = client.clock.nowMs() + shownMs + marginMs
  const checks = [check]
  for (const reply of cached) checks.push(await checkReplay(client, reply, hasCache))
  const [first] = cached
  if (first !== undefined && hasCache) checks.push(...(await observeCache(client, first.path)))

  // 3. Check the keys of the cache, the feeds of each network, and other requests.
  if (target === undefined) checks.push(toSkipped('the keys of the cache', 'no symbol of two networks'))
  else checks.push(...(await checkKeys(client, target)))
  for (const list of lists) checks.push(...(await checkPrices(client, list, maxFeeds)))
  checks.push(...(await checkRequests(client, networks)))

  // 4. Ask for the price and the list once more when no cache may have them any longer.
  if (hasCache) {
    await client.clock.sleep(Math.max(0, endsAtMs - client.clock.nowMs()))
    for (const reply of cached) checks.push(await checkFresh(client, reply))
  }

  // 5. Check the headers and the bodies of all replies.
  return [...checks, ...checkReplies(client.replies), ...checkDescription(client.replies)]
}
