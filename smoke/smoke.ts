import { hostname, networkInterfaces } from 'node:os'
import { parseArgs } from 'node:util'
import { formatReply, runChecks } from './check.ts'
import { listChecks } from './checks.ts'
import { type Client, createClient } from './client.ts'
import { toPrintable } from './printable.ts'

const help = `npm run smoke -- [options] https://api.example/v1

Checks a running Price Lookup. The URL is the output BaseUrl of its stack. Takes 12 to 30 seconds and some 90 requests,
one after another, at most 10 per second. While API Gateway creates a cache, it waits for up to 4 minutes. It cannot see
that the registry has the address of another feed: \`npm run check-rpc\` compares the registry with the chain.

  --no-cache   nothing caches: every reply must be a new read
  --help       print this text

Exit code: 0 when no check failed, 1 when one failed, 2 when the command is wrong.`

if (import.meta.main) process.exitCode = await main(process.argv.slice(2))

export async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(help)
    return 0
  }
  const options = parseOptions(args)
  if (options === undefined) {
    console.error(
      'One URL is expected, http or https, without user, query and fragment: https://api.example/v1. ' +
        'The only option is --no-cache. See --help.',
    )
    return 2
  }
  const { baseUrl, hasCache } = options
  if (isThisMachine(new URL(baseUrl).hostname)) process.env['no_proxy'] = '*'
  return await run(createClient(baseUrl), hasCache)
}

/** Whether a host is this machine, which a proxy does not reach. */
function isThisMachine(host: string): boolean {
  const addresses = Object.values(networkInterfaces()).flatMap(each => each?.map(({ address }) => address))
  return ['localhost', hostname().toLowerCase(), ...addresses].includes(host.replace(/^\[|\]$/g, ''))
}

export function parseOptions(args: readonly string[]) {
  try {
    const options = { 'no-cache': { type: 'boolean', default: false } } as const
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const [text = '', ...rest] = positionals
    const { href = '' } = URL.parse(text) ?? {}
    if (rest.length > 0 || !/^https?:[^@?#]+$/.test(href)) return undefined
    return { baseUrl: href.replace(/\/+$/, ''), hasCache: !values['no-cache'] }
  } catch {
    return undefined
  }
}

export async function run(client: Client, hasCache: boolean): Promise<number> {
  const { baseUrl, replies, clock } = client
  const beganAtMs = clock.nowMs()
  // The description needs neither function nor chain.
  const first = await client.ask('/openapi.json')
  if (first.status !== 200) {
    const expected = 'The URL is the output BaseUrl of a stack, with its path.'
    console.error(toPrintable(`No Price Lookup responds at ${baseUrl}. ${expected} ${formatReply(first)}.`))
    return 1
  }
  const results = await runChecks(listChecks(hasCache), client)
  const seconds = ((clock.nowMs() - beganAtMs) / 1_000).toFixed(1)
  const width = Math.max(...results.map(({ name }) => name.length))
  const rows = results.map(({ name, outcome, detail }) => `  ${outcome.padEnd(6)}  ${name.padEnd(width)}  ${detail}`)
  const count = (counted: string) => results.filter(({ outcome }) => outcome === counted).length
  const counts = `${count('passed')} passed, ${count('failed')} failed, ${count('noted')} noted`
  console.log(`${baseUrl}\n\n${rows.join('\n')}\n\n${counts}; ${replies.length} requests in ${seconds} s.`)
  return count('failed') === 0 ? 0 : 1
}
