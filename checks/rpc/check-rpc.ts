import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { defaultNetwork, isNetwork, networks } from '../../api/networks.ts'
import { findWrongCount, parseRpcUrls } from '../../lambda/rpc-urls/parse-rpc-urls.ts'
import { checkRpc } from './report.ts'

const command = 'npm run --silent check-rpc --'

const help = `${command} --network NETWORK URL…
${command} --network NETWORK < urls.txt

Reads the feeds of a network (${networks.join(', ')}) at its RPC URLs, as the
deployed functions do. Prints for each URL whether it is supported, how old the
chain's head is and how long a read took, and names the feeds whose contracts
differ from the registry in their token, symbol, limit of age, or in not serving
a closed market. Then prints whether the URLs agree: whether they return the
same at one block. A URL that does not return it is asked again for 5 seconds.
A request that a limit of the rate refuses is repeated once, after 1.1 seconds.
Last, if the functions refuse a parameter with all of these URLs, prints why.

Without URLs as arguments, they are read from standard input, separated by white
space or commas, because npm prints arguments and the shell keeps them. No URL's
path or query is printed. No proxy is used, as the functions use none.

A URL is https, or http with a loopback host. Its host is a name, an IPv4
address or [::1]; its path and query are of letters, digits and -._~, the query
of = and & besides, and no part of the path is empty. Two URLs are equal also if
one of them ends its path with a slash. Another name of the same node is not
detected.

Exit code: 0 when no two URLs are equal, every URL serves the network, every
feed is that of the registry, the URLs agree, and the functions accept them;
1 when not; 2 for a wrong command, for no URL, and for anything among the URLs
that the functions would not request, which is not sent to a node.`

export async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(help)
    return 0
  }
  const { network, entries } = parseOptions(args)
  if (network === undefined || !isNetwork(network)) {
    const known = networks.join(' or ')
    console.error(
      `Expected: --network ${known}, after the -- that npm needs: ${command} --network ${defaultNetwork}. ` +
        `See ${command} --help.`,
    )
    return 2
  }
  if (entries.length === 0 && process.stdin.isTTY) console.error('Paste RPC URLs, then press Enter and Ctrl-D.')
  const parsed = parseRpcUrls(entries.length > 0 ? entries.join(' ') : await text(process.stdin))
  if ('refusal' in parsed) {
    const expected = 'RPC URLs are expected, separated by white space or commas'
    console.error(`${expected}, but ${parsed.refusal}. See ${command} --help.`)
    return 2
  }
  const { rpcUrls } = parsed
  if (rpcUrls.length === 0) {
    console.error(`No URL was given. See ${command} --help.`)
    return 2
  }
  const { endpoints, comparison, isUsable } = await checkRpc(network, rpcUrls)
  const ofEndpoints = endpoints.flatMap(({ name, lines }, index) => [
    `${name}  ${rpcUrls[index]?.origin}`,
    ...lines.map(line => `  ${network}: ${line}`),
  ])
  const compared = comparison.map(line => `${network}: ${line}`)
  const refusal = findWrongCount(rpcUrls)
  const refused = refusal === undefined ? [] : [`The functions refuse a parameter with these URLs: ${refusal}.`]
  console.log([...ofEndpoints, ...compared, ...refused].join('\n'))
  return isUsable && refusal === undefined ? 0 : 1
}

/** Parses the command's arguments. An error of `parseArgs` may hold a key, so it is not kept. */
function parseOptions(args: readonly string[]): { readonly network?: string; readonly entries: readonly string[] } {
  try {
    const options = { network: { type: 'string' } } as const
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    return { ...values, entries: positionals }
  } catch {
    return { entries: [] }
  }
}

// Last, so that all of this file is initialised.
if (import.meta.main) process.exitCode = await main(process.argv.slice(2))
