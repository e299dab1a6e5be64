import { realpathSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { checkFailure, checkFresh, checkKeys, checkReplay, findTarget } from './cache.ts'
import { type Check, formatOutcome, readAtMsOf } from './check.ts'
import { type Client, createClient } from './client.ts'
import { askNetworks, checkDescription } from './description.ts'
import { checkEdge } from './edge.ts'
import { checkHeaders, checkRequests } from './http.ts'
import { askList, checkPrices, type List } from './prices.ts'

const help = `npm run smoke -- [options] https://api.example/v1

Checks a running Price Lookup. The URL is the output BaseUrl of its stack. Takes some 12 seconds and 83 requests,
at most 10 per second.

  --no-cache   nothing caches: every answer must be a new read
  --edge       CloudFront is before the API: also checks its keys, compression and IPv6, with some 10 requests more
  --help       print this text

Exit code: 0 when no check failed, 1 when one failed, 2 when there was no answer or the command is wrong.`

/** A list that is far too long does not make a run endless. */
const maxFeeds = 100

/** Reports a run without checks: one sentence for people. */
class NothingChecked extends Error {}

// Not when a test or another program imports this file.
if (realpathSync(process.argv[1] ?? '.') === import.meta.filename) process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  try {
    const { help: isHelp, baseUrl, caches, hasEdge } = parseOptions(args)
    if (isHelp) console.log(help)
    return isHelp ? 0 : await run(createClient(baseUrl), caches, hasEdge)
  } catch (error) {
    // `parseArgs` throws a TypeError with a code.
    if (!(error instanceof NothingChecked || (error instanceof TypeError && 'code' in error))) throw error
    console.error(error.message)
    return 2
  }
}

async function run(client: Client, caches: boolean, hasEdge: boolean): Promise<number> {
  const { baseUrl, answers, clock } = client
  const beganAtMs = clock.nowMs()
  const checks = await runChecks(client, caches, hasEdge)
  const width = Math.max(...checks.map(({ name }) => name.length))
  const rows = checks.map(({ name, outcome, detail }) => `  ${outcome.padEnd(7)}  ${name.padEnd(width)}  ${detail}`)
  const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map(
    one => checks.filter(({ outcome }) => outcome === one).length,
  )
  const seconds = ((clock.nowMs() - beganAtMs) / 1_000).toFixed(1)
  const throttled = answers.filter(({ status }) => status === 429).length
  const requests = `${answers.length} requests in ${seconds} s, ${throttled} throttled`
  console.log(
    `${baseUrl}\n\n${rows.join('\n')}\n\n${passed} passed, ${failed} failed, ${skipped} skipped; ${requests}.`,
  )
  return failed === 0 ? 0 : 1
}

/**
 * Runs all checks.
 *
 * @param caches whether the stage or an edge is expected to cache
 * @param hasEdge whether CloudFront is expected before the API
 * @throws {NothingChecked} when the first request has no answer.
 */
export async function runChecks(client: Client, caches: boolean, hasEdge = false): Promise<readonly Check[]> {
  const { networks, check } = await askNetworks(client)
  const [first] = client.answers
  if (first?.status === 0) throw new NothingChecked(`${client.baseUrl}: ${formatOutcome(first)}.`)
  const lists: List[] = []
  for (const network of networks) lists.push(await askList(client, network))
  const target = findTarget(lists)
  const prices = target === undefined ? [] : [await client.ask(`/price/${target.spellings[0]}`)]
  const ofLists = lists.slice(0, 1).map(({ answer }) => answer)
  const cached = [...prices, ...ofLists].filter(answer => readAtMsOf(answer) !== undefined)
  const checks = [check]
  for (const answer of cached) checks.push(await checkReplay(client, answer, caches))
  // Other checks run during the wait.
  const fresh = caches ? cached.map(answer => checkFresh(client, answer)) : []
  checks.push(...(await checkKeys(client, target)))
  for (const one of lists) checks.push(...(await checkPrices(client, one, maxFeeds)))
  if (caches) checks.push(await checkFailure(client, networks))
  if (hasEdge) checks.push(...(await checkEdge(client, target)))
  checks.push(...(await checkRequests(client, networks)), ...(await Promise.all(fresh)))
  return [...checks, ...checkHeaders(client.answers), ...checkDescription(client.answers)]
}

function parseOptions(args: readonly string[]) {
  const options = {
    help: { type: 'boolean', short: 'h' },
    'no-cache': { type: 'boolean' },
    edge: { type: 'boolean' },
  } as const
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
  const [text, other] = positionals
  const url = URL.parse(text ?? '')
  if (values.help) return { help: true, baseUrl: '', caches: true, hasEdge: false }
  if (text === undefined) throw new NothingChecked('Missing the URL of the API, such as https://api.example/v1.')
  if (other !== undefined) throw new NothingChecked('Too many arguments: one URL is expected.')
  if (url === null || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}${url.pathname}`) {
    throw new NothingChecked('The URL must be http or https, without user, query and fragment: https://api.example/v1.')
  }
  if (values.edge && values['no-cache']) throw new NothingChecked('--edge and --no-cache exclude each other.')
  return {
    help: false,
    baseUrl: url.href.replace(/\/+$/, ''),
    caches: !values['no-cache'],
    hasEdge: values.edge ?? false,
  }
}
