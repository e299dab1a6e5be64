import { parseArgs } from 'node:util'
import { isLoopback } from '../../lambda/rpc-urls/parse-rpc-urls.ts'
import { keyChecks, toCacheCheck } from './cache-checks.ts'
import { type Client, createClient, formatReply } from './client.ts'
import { findContractMismatches, findDeploymentMismatches } from './contract.ts'
import { listNetworkChecks } from './network-checks.ts'
import { otherRequestsCheck } from './other-requests.ts'
import { createReplyCheck, servedChecks } from './reply-checks.ts'
import { type Check, expectThat, runChecks } from './run-checks.ts'

const command = 'npm run smoke --'

const help = `${command} [--no-cache] https://api.example/v1

Checks a running Price Lookup. The URL is the output BaseUrl of its stack. Takes
12 to 40 seconds and some 90 requests, one after another, at most 10 per second.
While API Gateway creates a cache, it waits for up to 4 minutes. With
--no-cache, every reply must be a new read. The command \`check-rpc\` checks
whether an address is that of its feed.

The certificate of the server must be trusted, also if the variable
NODE_TLS_REJECT_UNAUTHORIZED is 0. NODE_EXTRA_CA_CERTS=FILE adds certificate
authorities.

Exit code: 0 when no check failed, 1 when one failed, 2 when the command is
wrong.`

export async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(help)
    return 0
  }
  const options = parseOptions(args)
  if (options === undefined) {
    console.error(
      'Expected: one http or https URL without user, query and fragment. Known option: --no-cache. ' +
        `See ${command} --help.`,
    )
    return 2
  }
  const { baseUrl, hasCache } = options
  // Callers would refuse a certificate that this variable accepts. Node reads it for each connection.
  delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
  // A proxy could not reach the loopback interface of this machine.
  if (isLoopback(new URL(baseUrl))) process.env['no_proxy'] = '*'
  return await run(createClient(baseUrl), hasCache)
}

export function parseOptions(args: readonly string[]) {
  try {
    const options = { 'no-cache': { type: 'boolean', default: false } } as const
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const [text, ...rest] = positionals
    const href = URL.parse(String(text))?.href
    if (rest.length > 0 || href === undefined || !/^https?:[^@?#]+$/.test(href)) return undefined
    return { baseUrl: href.replace(/\/+$/, ''), hasCache: !values['no-cache'] }
  } catch {
    return undefined
  }
}

export async function run(client: Client, hasCache: boolean): Promise<number> {
  const { baseUrl, replies, beganAt } = client
  // The description needs neither a function nor the chain, so it shows whether the URL is that of a service.
  const first = await client.ask('/openapi.json')
  if (first.status !== 200) {
    console.error(`No Price Lookup responds at ${baseUrl}: ${formatReply(first)}. Use the output BaseUrl of a stack.`)
    return 1
  }
  const contractCheck = createReplyCheck('replies are as the API describes them', reply => {
    const mismatches = [...findContractMismatches(reply), ...findDeploymentMismatches(reply, baseUrl)]
    expectThat(mismatches.length === 0, reply, mismatches.slice(0, 3).join(', '))
  })
  const results = await runChecks([...listChecks(hasCache), contractCheck], client)
  const rows = results.map(({ name, result, detail }) => `  ${result.padEnd(6)}  ${name}${detail && `: ${detail}`}`)
  const count = (counted: string) => results.filter(({ result }) => result === counted).length
  const counts = `${count('passed')} passed, ${count('failed')} failed, ${count('noted')} noted`
  const seconds = ((performance.now() - beganAt) / 1_000).toFixed(1)
  console.log(`${baseUrl}\n\n${rows.join('\n')}\n\n${counts}; ${replies.length} requests in ${seconds} s.`)
  return count('failed') === 0 ? 0 : 1
}

/** @param hasCache whether the stage is expected to cache */
const listChecks = (hasCache: boolean): readonly Check[] => [
  ...listNetworkChecks(Number.POSITIVE_INFINITY),
  ...keyChecks,
  otherRequestsCheck,
  toCacheCheck(hasCache),
  ...servedChecks,
]

// Last, so that all of this file is initialised.
if (import.meta.main) process.exitCode = await main(process.argv.slice(2))
