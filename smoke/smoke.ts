import { hostname, networkInterfaces } from 'node:os'
import { parseArgs } from 'node:util'
import { formatReply, runChecks } from './check.ts'
import { listChecks } from './checks.ts'
import { type Client, createClient } from './client.ts'
import { toPrintable } from './printable.ts'

const help = `npm run smoke -- [options] https://api.example/v1

Checks a running Price Lookup. The URL is the output BaseUrl of its stack. Takes 12 to 30 seconds and some 90 requests,
one after another, at most 10 per second. While API Gateway creates a cache, it waits for up to 4 minutes.

  --no-cache   nothing caches: every reply must be a new read
  --help       print this text

Exit code: 0 when no check failed, 1 when one failed, 2 when the command is wrong.`

if (import.meta.main) process.exitCode = await main(process.argv.slice(2))

export async function main(args: readonly string[]): Promise<number> {
  const options = parseOptions(args)
  if (typeof options === 'string') {
    console.error(toPrintable(options))
    return 2
  }
  const { baseUrl, isHelp, hasCache } = options
  if (isHelp) {
    console.log(help)
    return 0
  }
  if (isThisMachine(new URL(baseUrl).hostname)) process.env['no_proxy'] = '*'
  return await run(createClient(baseUrl), hasCache)
}

/** Whether a host is this machine, which a proxy does not reach. */
function isThisMachine(host: string): boolean {
  const addresses = Object.values(networkInterfaces()).flatMap(each => each?.map(({ address }) => address))
  return ['localhost', hostname().toLowerCase(), ...addresses].includes(host.replace(/^\[|\]$/g, ''))
}

interface SmokeOptions {
  /** Without a slash at its end. */
  readonly baseUrl: string
  readonly isHelp: boolean
  /** Whether the stage is expected to cache. */
  readonly hasCache: boolean
}

/** Parses the command's arguments. Returns one sentence for people if they are wrong. */
export function parseOptions(args: readonly string[]): string | SmokeOptions {
  const options = {
    help: { type: 'boolean', short: 'h', default: false },
    'no-cache': { type: 'boolean', default: false },
  } as const
  try {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const [text = '', ...rest] = positionals
    const { href = '' } = URL.parse(text) ?? {}
    if (!values.help && (rest.length > 0 || !/^https?:[^@?#]+$/.test(href))) {
      return 'One URL is expected, http or https, without user, query and fragment: https://api.example/v1.'
    }
    const baseUrl = href.replace(/\/+$/, '')
    return { baseUrl, isHelp: values.help, hasCache: !values['no-cache'] }
  } catch (error) {
    // Without the sentence that Node adds, about arguments that begin with a dash.
    const [reason] = (error instanceof Error ? error.message : String(error)).split(/\.(?: To specify|$)/)
    return `${reason}. --help lists the options.`
  }
}

/** Runs all checks and prints what they found. Returns the exit code. */
export async function run(client: Client, hasCache: boolean): Promise<number> {
  const { baseUrl, replies, clock } = client
  const beganAtMs = clock.nowMs()
  const obstacle = await findObstacle(client)
  if (obstacle !== undefined) {
    console.error(toPrintable(obstacle))
    return 1
  }
  const results = await runChecks(listChecks(hasCache), client)
  const seconds = ((clock.nowMs() - beganAtMs) / 1_000).toFixed(1)
  const width = Math.max(...results.map(({ name }) => name.length))
  const rows = results.map(({ name, outcome, detail }) => `  ${outcome.padEnd(7)}  ${name.padEnd(width)}  ${detail}`)
  const [passed, failed, noted, skipped] = ['passed', 'failed', 'noted', 'skipped'].map(
    counted => results.filter(({ outcome }) => outcome === counted).length,
  )
  const remaining = noted === 0 ? `${skipped} skipped` : `${noted} noted, ${skipped} skipped`
  const requests = `${replies.length} requests in ${seconds} s`
  console.log(`${baseUrl}\n\n${rows.join('\n')}\n\n${passed} passed, ${failed} failed, ${remaining}; ${requests}.`)
  return failed === 0 ? 0 : 1
}

/** Finds why there is nothing to check: the description, which needs neither function nor chain, does not come. */
async function findObstacle(client: Client): Promise<string | undefined> {
  const reply = await client.ask('/openapi.json')
  if (reply.status === 200) return undefined
  if (reply.failure !== undefined) return `GET ${client.baseUrl}${reply.path}: ${reply.failure}.`
  // Without the stage in the path, API Gateway responds 403, and the local gateway redirects to it.
  const isStageMissing = [307, 403, 404].includes(reply.status) && new URL(client.baseUrl).pathname === '/'
  const hint = isStageMissing ? ' Is /v1 missing in the URL?' : ''
  return `No Price Lookup responds at ${client.baseUrl}. ${formatReply(reply)}.${hint}`
}
