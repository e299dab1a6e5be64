import { type FSWatcher, watch } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Gateway } from './gateway/gateway.ts'
import { StartFailure } from './run-command.ts'
import type { Sandbox } from './sandbox.ts'
import { hashSources, listSources, root } from './synthesise.ts'

/** Editors write a file in several steps, and several files at once. */
const quietMs = 50

/** Pause after a persistent error, such as too many watchers. */
const retryMs = 1_000

/** The state of the files that the stack is made of. */
interface SourceState {
  readonly hash: string
  /** The texts of those that the local chains are made of. */
  readonly facts: readonly string[]
}

export async function readSourceState(): Promise<SourceState> {
  return { hash: await hashSources(root), facts: await readFacts() }
}

function readFacts(): Promise<string[]> {
  const files = ['lambda/feeds/registry.json', 'api/networks.ts']
  return Promise.all(files.map(file => readFile(join(root, file), 'utf8')))
}

/**
 * Serves the stack anew after each change of its files, until the signal.
 *
 * Each folder has a watcher of its own: on Linux, Node's recursive one misses the changes of a file that an editor has once
 * replaced by renaming another.
 *
 * @param started the state before the start
 */
export async function serveChanges(
  started: SourceState,
  sandbox: Sandbox,
  gateway: Gateway,
  signal: AbortSignal,
): Promise<void> {
  const reload = createReload(started, sandbox, gateway, signal)
  let known = started.hash
  let failures = 0
  while (!signal.aborted) {
    const { promise: event, resolve } = Promise.withResolvers<unknown>()
    signal.addEventListener('abort', resolve, { once: true })
    const watchers: FSWatcher[] = []
    try {
      const { folders } = await listSources(root)
      for (const path of folders) watchers.push(watch(path, resolve).on('error', resolve))
      // A change before the watchers is in this hash.
      const current = await hashSources(root)
      failures = 0
      if (current === known) await event
      else await reload()
      known = current
    } catch (error) {
      // A file may vanish while it is listed or hashed. A persistent error is printed once.
      if (++failures === 2) console.error(error)
    }
    for (const watcher of watchers) watcher.close()
    signal.removeEventListener('abort', resolve)
    await sleep(failures > 1 ? retryMs : quietMs, undefined, { signal }).catch(() => {})
  }
}

/** Creates a function that serves the stack as it is now. When that fails, the last good one is still served. */
function createReload(started: SourceState, sandbox: Sandbox, gateway: Gateway, signal: AbortSignal) {
  const hasChains = Object.keys(sandbox.chains).length > 0
  let stop = sandbox.stop
  return async (): Promise<void> => {
    const beganAtMs = performance.now()
    try {
      const facts = await readFacts()
      const next = await sandbox.redeploy()
      // The former functions end after their invocations.
      void gateway.replace(next).then(stop).catch(console.error)
      stop = next.stop
      console.log(`Reloaded in ${((performance.now() - beganAtMs) / 1_000).toFixed(1)} s.`)
      if (hasChains && String(facts) !== String(started.facts)) console.log('Restart to add feeds or networks.')
    } catch (error) {
      if (signal.aborted) return
      console.error(error instanceof StartFailure ? error.message : error)
      console.error('Not reloaded. The last version is still served.')
    }
  }
}
