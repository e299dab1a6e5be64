import { parseArgs } from 'node:util'
import { StartFailure } from './start-failure.ts'
import type { Sources } from './world.ts'

/** What someone who starts the service can choose. */
export interface Options {
  readonly help: boolean
  readonly host: string
  readonly port: number
  readonly sources: Sources
  /** What is neither an option nor an option's value. */
  readonly rest: readonly string[]
}

/** The options that choose where each network is read, for people. */
export const sourcesHelp = `  --live              read the real chains, at the public RPC URLs that the stack is deployed with
  --rpc-mainnet URL   read the mainnet there; up to three, in order of preference
  --rpc-testnet URL   read the testnet there, likewise`

/**
 * Parses a command line.
 *
 * @throws {StartFailure} that says what is wrong with it.
 */
export function parseOptions(args: readonly string[]): Options {
  const { values, positionals } = parse(args)
  return {
    help: values.help,
    host: values.host,
    port: parsePort(values.port),
    sources: {
      mainnet: toSource(values['rpc-mainnet'], values.live),
      testnet: toSource(values['rpc-testnet'], values.live),
    },
    rest: positionals,
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        host: { type: 'string', default: '127.0.0.1' },
        port: { type: 'string', default: '3000' },
        live: { type: 'boolean', default: false },
        'rpc-mainnet': { type: 'string', multiple: true },
        'rpc-testnet': { type: 'string', multiple: true },
      },
    })
  } catch (error) {
    const [sentence = ''] = error instanceof Error ? error.message.split('. ') : []
    throw new StartFailure(`${sentence.replace(/\.$/, '')}. --help shows what there is.`)
  }
}

function parsePort(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new StartFailure(`--port takes a number from 0, which is any free port, to 65535; it cannot be ${text}.`)
}

function toSource(urls: readonly string[] | undefined, live: boolean): Sources['mainnet'] {
  if (urls === undefined) return live ? 'deployed' : 'embedded'
  const rpcUrls = urls.flatMap(text => text.split(/[\s,]+/)).filter(url => url !== '')
  if (rpcUrls.length < 1 || rpcUrls.length > 3) throw new StartFailure('A network is read at one to three RPC URLs.')
  if (rpcUrls.every(isRpcUrl)) return { rpcUrls: rpcUrls.join(' ') }
  throw new StartFailure('An RPC URL is https, or http to a loopback host, and names no user.')
}

function isRpcUrl(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '') return false
  return (
    url.protocol === 'https:' ||
    /^http:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.origin.replace(/:\d+$/, ''))
  )
}
