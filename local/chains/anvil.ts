import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { networks } from '../../api/networks.ts'
import { StartFailure } from '../run-command.ts'

export interface Anvil {
  /** The URL of its JSON-RPC server, on the loopback interface. */
  readonly rpcUrl: string
  readonly pid: number
  readonly ended: Promise<'stop' | 'itself'>
  readonly stop: () => Promise<void>
}

/**
 * Starts anvil on a free port, which anvil itself chooses, and waits until it listens.
 *
 * @throws {StartFailure} when anvil is not installed, or ends at once
 */
export async function startAnvil(args: readonly string[]): Promise<Anvil> {
  const anvil = spawnTied(findAnvil(), ['--host', '127.0.0.1', '--port', '0', ...args])
  const { pid, ended, stop } = anvil
  return { rpcUrl: await readRpcUrl(anvil), pid, ended, stop }
}

/** @throws {StartFailure} when anvil's binary for this platform is not installed */
function findAnvil(): string {
  const { platform, arch } = process
  const name = `@foundry-rs/anvil-${platform}-${arch === 'x64' ? 'amd64' : arch}`
  try {
    const require = createRequire(import.meta.url)
    return createRequire(require.resolve('@foundry-rs/anvil/package.json')).resolve(`${name}/bin/anvil`)
  } catch {
    const problem = `${name} is not installed. It needs Linux or macOS, and npm ci --include=optional.`
    throw new StartFailure(`${problem} ${withoutAnvil}`)
  }
}

const options = networks.map(network => `--rpc-${network}`).join(', ')

/** What is left on a machine on which anvil cannot run. */
const withoutAnvil = `Without anvil, use --live, or a URL for each network: ${options}.`

/**
 * Spawns a process that does not outlive this one, even when this one is killed with SIGKILL.
 *
 * A watcher reads from a pipe to this process. When this process ends, the system closes the pipe and the watcher kills
 * the child. When the child ends first, a line makes the watcher exit without a kill. Ctrl-C in the terminal reaches
 * neither (`detached`), so the child still answers during a shutdown. Its output must be read, or it blocks.
 */
function spawnTied(program: string, args: readonly string[]) {
  // `exec` gives the child the shell's process id, `$$`.
  const script = '{ read -r line <&3 || kill -9 $$; } >/dev/null 2>&1 & exec "$@" 3<&- 2>&1'
  const child = spawn('sh', ['-c', script, 'sh', program, ...args], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  })
  const { pid, stdout: output } = child
  const pipe = child.stdio[3]
  if (pid === undefined || output === null || pipe == null || !('write' in pipe)) throw new Error('sh did not start.')
  pipe.on('error', () => {})
  child.once('exit', () => pipe.end('ended\n'))
  const ended: Anvil['ended'] = once(child, 'close').then(() => (child.killed ? 'stop' : 'itself'))
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
  }
  return { pid, output, ended, stop }
}

/** Reads anvil's address from its output, and discards all later output. */
async function readRpcUrl({ output, ended }: ReturnType<typeof spawnTied>): Promise<string> {
  let printed = ''
  const rpcUrl = new Promise<string>(resolve => {
    output.setEncoding('utf8').on('data', (text: string) => {
      printed = (printed + text).slice(-10_000)
      const [, address] = /^Listening on (\S+)\s*$/m.exec(printed) ?? []
      if (address !== undefined) resolve(`http://${address}`)
    })
  })
  const failed = ended.then(() => {
    const problem = 'Anvil ended before it was ready. On Linux, it needs glibc 2.35 or later.'
    throw new StartFailure(`${problem} ${withoutAnvil} Its output: ${printed.trim() || 'none'}`)
  })
  return Promise.race([rpcUrl, failed])
}
