import { watch } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { hashSources, listSources } from './synthesise.ts'

/** Editors write a file in several steps, and several files at once. */
const quietMs = 50

/**
 * Calls a function after each change of the files that the stack is made of, one call at a time, until the signal.
 *
 * Each folder has a watcher of its own: on Linux, Node's recursive one misses the changes of a file that an editor has once
 * replaced by renaming another.
 *
 * @param folder the repository
 * @param hash the hash of the files from which the stack was last made
 */
export async function watchSources(
  folder: string,
  hash: string,
  onChange: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let known = hash
  while (!signal.aborted) {
    const { promise: event, resolve } = Promise.withResolvers<unknown>()
    signal.addEventListener('abort', resolve, { once: true })
    const { folders } = await listSources(folder)
    const watchers = folders.map(path => watch(path, resolve))
    // A change before the watchers is in this hash. A file may vanish while it is hashed.
    const current = await hashSources(folder).catch(() => undefined)
    if (current === known) await event
    else if (current !== undefined) await onChange()
    for (const watcher of watchers) watcher.close()
    signal.removeEventListener('abort', resolve)
    known = current ?? known
    if (!signal.aborted) await sleep(quietMs)
  }
}
