import { type FSWatcher, watch } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { hashSources, listSources } from './synthesise.ts'

/** Editors write a file in several steps, and several files at once. */
const quietMs = 50

/** After an error that stays, such as too many watchers. */
const retryMs = 1_000

/**
 * Calls a function after each change of the files that the stack is made of, one call at a time, until the signal.
 *
 * Each folder has a watcher of its own: on Linux, Node's recursive one misses the changes of a file that an editor has once
 * replaced by renaming another.
 *
 * @param folder the repository
 * @param hash the hash of the files from which the stack was last made
 * @param onChange must not throw
 */
export async function watchSources(
  folder: string,
  hash: string,
  onChange: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let known = hash
  let failures = 0
  while (!signal.aborted) {
    const { promise: event, resolve } = Promise.withResolvers<unknown>()
    signal.addEventListener('abort', resolve, { once: true })
    const watchers: FSWatcher[] = []
    try {
      const { folders } = await listSources(folder)
      for (const path of folders) watchers.push(watch(path, resolve).on('error', resolve))
      // A change before the watchers is in this hash.
      const current = await hashSources(folder)
      failures = 0
      if (current === known) await event
      else await onChange()
      known = current
    } catch (error) {
      // A file may vanish while it is listed or hashed. An error that stays is printed, once.
      if (++failures === 2) console.error(error)
    }
    for (const watcher of watchers) watcher.close()
    signal.removeEventListener('abort', resolve)
    await sleep(failures > 1 ? retryMs : quietMs, undefined, { signal }).catch(() => {})
  }
}
