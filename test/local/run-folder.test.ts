import { afterEach, expect, test, vi } from 'vitest'
import { StartFailure } from '../../local/run-command.ts'
import { createRunFolder } from '../../local/run-folder.ts'

afterEach(() => vi.unstubAllEnvs())

test.each([
  ['/nowhere', 'ENOENT: no such file or directory'],
  // Without free space, whatever the user.
  ['/proc', 'less than 20 MB or 100 files are free'],
])('the temporary folder %s is one sentence', async (parent, reason) => {
  vi.stubEnv('TMPDIR', parent)
  const sentence = `The temporary folder ${parent} cannot be used: ${reason}. Name another in TMPDIR.`
  await expect(createRunFolder()).rejects.toThrow(new StartFailure(sentence))
})
