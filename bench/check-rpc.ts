import { text } from 'node:stream/consumers'
import { isAllowed } from '../lambda/rpc-urls.ts'
import { checkRpc } from './rpc-report.ts'

const help = `npm run --silent check-rpc -- URL…
npm run check-rpc < urls.txt

Reads the feeds of every network at RPC URLs, as the deployed functions do. Prints for each URL and network whether it is
supported, how old the chain's head is and how long a read took. Then prints whether the URLs of a network agree: whether
they return the same at one block. Without arguments, the URLs are read from standard input, separated by white space or
commas, because npm prints arguments and the shell keeps them. No URL's path, query or user is printed.

Exit code: 0 when every URL serves a network and the URLs of each network agree, 1 when not, 2 for a wrong command.`

if (import.meta.main) process.exitCode = await main(process.argv.slice(2))

/** @returns the exit code */
export async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(help)
    return 0
  }
  if (args.length === 0 && process.stdin.isTTY) console.error('Paste RPC URLs, then press Enter and Ctrl-D.')
  const texts = (args.length > 0 ? args.join(' ') : await text(process.stdin))
    .split(/[\s,]+/)
    .filter(entry => entry !== '')
  const rpcUrls = texts.map(entry => URL.parse(entry)).filter(isAllowed)
  if (rpcUrls.length === 0 || rpcUrls.length < texts.length) {
    console.error('RPC URLs are expected: https, or http with a loopback host; without a user name. See --help.')
    return 2
  }
  const { lines, isUsable } = await checkRpc(rpcUrls)
  console.log(lines.join('\n'))
  return isUsable ? 0 : 1
}
