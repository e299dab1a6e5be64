import { parseArgs } from 'node:util'
import { defaultNetwork, type Network, networks, ofEachNetwork } from '../api/networks.ts'
import { StartFailure } from './run-command.ts'
import type { Sources } from './service.ts'

export const sourcesHelp = [
  '  --live              read the real chains, at their public RPC URLs',
  ...networks.map(network => {
    const option = `  --rpc-${network} URL`.padEnd(22)
    return `${option}read the ${network} at this RPC URL; no key: npm prints it`
  }),
].join('\n')

export const variablesHelp = `Give an RPC URL with a key as an environment variable, up to three for a
network, separated by spaces, in order of preference:

${networks.map(network => `  ${toVariable(network).padEnd(20)}read the ${network} at these RPC URLs`).join('\n')}

In bash and zsh, this keeps a key out of the shell's history:

  read -rs ${toVariable(defaultNetwork)} && export ${toVariable(defaultNetwork)}

The first of these that is given for a network is used: its --rpc option, its
variable, --live.`

function toVariable(network: Network): string {
  return `RPC_URLS_${network.toUpperCase()}`
}

const rpcUrlsOption = { type: 'string', multiple: true } as const

const optionTypes = {
  help: { type: 'boolean', short: 'h', default: false },
  host: { type: 'string', default: '127.0.0.1' },
  port: { type: 'string', default: '3000' },
  log: { type: 'boolean', default: false },
  live: { type: 'boolean', default: false },
  ...Object.fromEntries(networks.map(network => [`rpc-${network}`, rpcUrlsOption])),
} as const

/**
 * Parses the arguments of a command.
 *
 * @param command how a shell runs it, before its options: `npm start --`
 * @throws {StartFailure} whose message has no argument that may be an RPC URL with a key
 */
export function parseOptions(command: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const { values, positionals } = parse(command, args)
  assertNotTaken(command, env)
  const given = new Map<string, unknown>(Object.entries(values))
  return {
    help: values.help,
    host: parseHost(values.host),
    port: parsePort(values.port),
    log: values.log,
    sources: ofEachNetwork((network): Sources[Network] => {
      const rpcUrls = given.get(`rpc-${network}`) ?? env[toVariable(network)]
      if (rpcUrls) return [rpcUrls].flat().map(String)
      return values.live ? 'deployed' : 'embedded'
    }),
    rest: positionals,
  }
}

function parse(command: string, args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: optionTypes })
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    const [, valued] = /^Option '(--[a-z-]+)( <value>)?' argument/.exec(message) ?? []
    if (valued !== undefined) throw new StartFailure(`${valued} needs a value that does not begin with a dash.`)
    const [known] = /^(Unknown option|Option) '-{1,2}[a-z-]{1,20}'( does not take an argument)?/.exec(message) ?? []
    throw new StartFailure(`${known ?? 'Unknown option'}. ${command} --help lists the options.`)
  }
}

/** @throws {StartFailure} for an option that npm took, because no `--` was before it */
function assertNotTaken(command: string, env: NodeJS.ProcessEnv): void {
  const taken = Object.keys(optionTypes).find(name => env[`npm_config_${name.replaceAll('-', '_')}`] !== undefined)
  if (taken === undefined) return
  throw new StartFailure(`npm took --${taken} for itself. Write -- before the options: ${command} --${taken}`)
}

function parsePort(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new StartFailure('--port must be a number from 0 (any free port) to 65535.')
}

function parseHost(text: string): string {
  if (/^[\w.:-]{1,253}$/.test(text)) return text
  throw new StartFailure('--host must be an address or a name.')
}
