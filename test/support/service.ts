import { vi } from 'vitest'
import { ofEachNetwork } from '../../api/networks.ts'
import type { ServerOptions } from '../../local/server.ts'

/**
 * Starts the whole service in this process, above local chains, with modules of its own, which read its environment.
 * Its disposal restores the environment and the console.
 *
 * @param options replace the options of its server
 */
export async function startService(options: Partial<ServerOptions> = {}) {
  await using started = new AsyncDisposableStack()
  const environment = { ...process.env }
  const { info, warn } = console
  started.defer(() => {
    for (const name of Object.keys(process.env)) {
      if (!(name in environment)) delete process.env[name]
    }
    Object.assign(process.env, environment)
    Object.assign(console, { info, warn })
  })
  started.defer(() => void vi.resetModules())
  vi.resetModules()
  // A machine that is busy for seconds would exceed a time limit. So each time is a thousand times as long, lifetimes of
  // caches included.
  vi.doMock(import('../../lambda/timing.ts'), async load => {
    const times = Object.entries(await load()).map(([name, value]) => [
      name,
      typeof value === 'number' ? 1_000 * value : value,
    ])
    return Object.fromEntries(times)
  })
  started.defer(() => void vi.doUnmock('../../lambda/timing.ts'))
  const local = await import('../../local/service.ts')
  const { startServer } = await import('../../local/server.ts')
  const service = started.use(await local.startService(ofEachNetwork(() => 'embedded')))
  const server = await startServer({ ...service, host: '127.0.0.1', port: 0, ...options })
  started.defer(server.stop)
  const owned = started.move()
  return { ...service, ...server, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
