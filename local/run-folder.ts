import { mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartFailure } from './run-command.ts'

/** A start writes some 5 MB. */
const neededBytes = 20_000_000

/**
 * Creates a temporary folder.
 *
 * @throws {StartFailure} when the system's folder for them is missing, full or not writable
 */
export async function createRunFolder(): Promise<string> {
  const parent = tmpdir()
  try {
    const { bavail, bsize } = await statfs(parent)
    if (bavail * bsize < neededBytes) throw new Error('less than 20 MB are free')
    return await mkdtemp(join(parent, 'price-lookup-'))
  } catch (error) {
    const reason = error instanceof Error ? error.message.split(',')[0] : ''
    throw new StartFailure(`The temporary folder ${parent} cannot be used: ${reason}. Name another in TMPDIR.`)
  }
}
