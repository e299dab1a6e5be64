import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { afterEach, expect, test, vi } from 'vitest'
import { StartFailure } from '../../local/run-command.ts'
import { createRunFolder } from '../../local/run-folder.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

const toFailure = (folder: string, reason: string) =>
  new StartFailure(`The temporary folder ${folder} cannot be used: ${reason}. Name another in TMPDIR.`)

test('a temporary folder that is missing is one sentence', async () => {
  vi.stubEnv('TMPDIR', '/nowhere')
  await expect(createRunFolder()).rejects.toThrow(toFailure('/nowhere', 'ENOENT: no such file or directory'))
})

test.each(['bavail', 'ffree'])('a temporary folder whose file system is full (%s) is one sentence', async free => {
  const found = await fs.statfs(tmpdir())
  vi.spyOn(fs, 'statfs').mockResolvedValue({ ...found, files: 1_000, [free]: 1 })
  syncBuiltinESMExports()
  await expect(createRunFolder()).rejects.toThrow(toFailure(tmpdir(), 'less than 20 MB or 100 files are free'))
})
