import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { createRunFolder } from '../../local/run-folder.ts'

afterEach(() => vi.unstubAllEnvs())

test('the folder of a killed run is removed at the next start, and that of a running one stays', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'price-lookup-test-'))
  vi.stubEnv('TMPDIR', parent)
  const { pid } = spawnSync(process.execPath, ['--version'])
  const create = (owner: number | undefined) => basename(mkdtempSync(join(parent, `price-lookup-${owner}-`)))
  create(pid)
  const kept = [create(process.ppid), basename(mkdtempSync(join(parent, 'price-lookup-test-')))]
  const created = basename(await createRunFolder())
  expect(readdirSync(parent).toSorted()).toEqual([...kept, created].toSorted())
  rmSync(parent, { recursive: true })
})
