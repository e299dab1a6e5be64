import { mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartFailure } from './run-command.ts'

/** A start writes some 5 MB in 20 files. */
const [neededBytes, neededFiles] = [20_000_000, 100]

/**
 * Creates a temporary folder.
 *
 * @throws {StartFailure} when the system's folder for them is missing, full or not writable
 */
export async function createRunFolder(): Promise<string> {
  const parent = tmpdir()
  try {
    const { bavail, bsize, files, ffree } = await statfs(parent)
    // Some file systems count no files.
    const isFull = bavail * bsize < neededBytes || (files > 0 && ffree < neededFiles)
    if (isFull) throw new Error('less than 20 MB or 100 files are free')
    return await mkdtemp(join(parent, 'price-lookup-'))
  } catch (error) {
    const reason = error instanceof Error ? error.message.split(',')[0] : ''
    throw new StartFailure(`The temporary folder ${parent} cannot be used: ${reason}. Name another in TMPDIR.`)
  }
}
