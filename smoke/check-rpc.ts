import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { findRefusal, parseRpcUrls } from '../lambda/rpc-urls/parse-rpc-urls.ts'
import { checkRpc } from './rpc-report.ts'

const help = `npm run --silent check-rpc -- URL…
npm run --silent check-rpc < urls.txt

Reads the feeds of every network at RPC URLs, as the deployed functions do. Prints for each URL and network whether it is
supported, how old the chain's head is and how long a read took, and names the feeds whose contracts differ from the
registry in their token, symbol or limit of age. Then prints whether the URLs of a network agree: whether they return the
same at one block. Without arguments, the URLs are read from standard input, separated by white space or
commas, because npm prints arguments and the shell keeps them. No URL's path or query is printed.

A URL is https, or http with a loopback host. Its host is a name, an IPv4 address or [::1]; its path and query are of
letters, digits and -._~, the query of = and & besides, and no part of the path is empty. No proxy is used, as the
functions use none.

At last it prints whether the functions refuse a parameter with all of these URLs,.

Exit code: 0 when every URL serves a network, every feed is that of the registry, the URLs of each network agree, and the
functions accept them; 1 when not; 2 for a wrong command, and for anything among the URLs that the functions would not
request, which is not sent to a node.`

if (import.meta.main) process.exitCode = await main(process.argv.slice(2))

export async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(help)
    return 0
  }
  const options = parseOptions(args)
  if (options === undefined) {
    console.error('There is no option. See --help.')
    return 2
  }
  const { entries } = options
  if (entries.length === 0 && process.stdin.isTTY) console.error('Paste RPC URLs, then press Enter and Ctrl-D.')
  const rpcUrls = parseRpcUrls(entries.length > 0 ? entries.join(' ') : await text(process.stdin))
  if (typeof rpcUrls === 'string') {
    console.error(`RPC URLs are expected, separated by white space or commas, but ${rpcUrls}. See --help.`)
    return 2
  }
  const { lines, isUsable } = await checkRpc(rpcUrls)
  const refusal = findRefusal(rpcUrls)
  const refused = refusal === undefined ? [] : [`The functions refuse a parameter with these URLs: ${refusal}.`]
  console.log([...lines, ...refused].join('\n'))
  return isUsable && refusal === undefined ? 0 : 1
}

/** Parses the command's arguments. An error of `parseArgs` may hold a key, so it is not kept. */
function parseOptions(args: readonly string[]) {
  try {
    return { entries: parseArgs({ args: [...args], allowPositionals: true }).positionals }
  } catch {
    return undefined
  }
}
