import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout as after } from 'node:timers/promises'
import { createTestClient, http } from 'viem'
import { type Leashed, leash } from './leash.ts'
import { StartFailure } from './start-failure.ts'

/** A running anvil. */
export type Anvil = {
  /** Where it answers JSON-RPC, on the loopback interface. */
  rpcUrl: string
  /** The process id of anvil itself. */
  pid: number
  /** Ends it at once and waits until it is gone. */
  stop(): Promise<void>
}

/**
 * Starts anvil on a free port, and waits until it answers.
 *
 * Anvil itself chooses the port and says which, so two of them never race for one.
 *
 * @throws {StartFailure} when anvil is not installed, ends at once, or is not ready in time.
 */
export async function startAnvil(args: readonly string[]): Promise<Anvil> {
  const anvil = leash(findAnvil(process.platform, process.arch), ['--host', '127.0.0.1', '--port', '0', ...args])
  try {
    const rpcUrl = await Promise.race([readRpcUrl(anvil), failAfter(readyWithinMs)])
    const client = createTestClient({ mode: 'anvil', transport: http(rpcUrl) })
    await client.setLoggingEnabled(false)
    return { rpcUrl, pid: anvil.pid, stop: anvil.stop }
  } catch (error) {
    await anvil.stop()
    throw error
  }
}

/**
 * Finds anvil's binary in the package that holds it for one platform, as npm installed it.
 *
 * @throws {StartFailure} when there is none.
 */
export function findAnvil(platform: string, arch: string): string {
  const holder = `@foundry-rs/anvil-${platform}-${arch === 'x64' ? 'amd64' : arch}`
  try {
    const require = createRequire(import.meta.url)
    const binary = createRequire(require.resolve('@foundry-rs/anvil/package.json')).resolve(`${holder}/bin/anvil`)
    if (existsSync(binary)) return binary
  } catch {}
  throw new StartFailure(
    `The local chains need anvil, and its package ${holder} is not installed. ` +
      'Run `npm ci`, with optional dependencies, on Linux or macOS.',
  )
}

/** Generous, for a machine that is busy with other things: anvil takes 0.1 s. */
const readyWithinMs = 30_000

/** Reads where anvil listens from what it prints, and lets all further output run dry. */
async function readRpcUrl({ output, ended }: Leashed): Promise<string> {
  let printed = ''
  const rpcUrl = new Promise<string>(resolve => {
    output.setEncoding('utf8').on('data', (text: string) => {
      printed = (printed + text).slice(-10_000)
      const [, address] = /^Listening on (\S+)\s*$/m.exec(printed) ?? []
      if (address) resolve(`http://${address}`)
    })
  })
  const failed = ended.then(() => {
    throw new StartFailure(`Anvil ended before it was ready. It said: ${printed.trim() || 'nothing'}`)
  })
  return Promise.race([rpcUrl, failed])
}

async function failAfter(timeoutMs: number): Promise<never> {
  await after(timeoutMs, undefined, { ref: false })
  throw new StartFailure(`Anvil was not ready within ${timeoutMs / 1000} seconds.`)
}
