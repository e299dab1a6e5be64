import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { synthesise } from '../../local/synthesise.ts'
import { copyRepository } from '../support/local/copy-repository.ts'

let folder: string
let byCli: string
let ofCli: Promise<unknown>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'price-lookup-synthesised-'))
  const copy = join(folder, 'a/deep/copy')
  await copyRepository(copy)
  byCli = join(folder, 'by-cli')
  const context = ['-c', 'environment=dev', '-c', 'edge=true', '-c', 'sourceMaps=true']
  const args = ['node_modules/aws-cdk/bin/cdk', 'synth', '--quiet', '--strict', ...context, '--output', byCli]
  ofCli = promisify(execFile)(process.execPath, args, { cwd: copy })
  await ofCli.catch(() => {})
})

afterAll(() => rm(folder, { recursive: true }))

test('the template, bundles and source maps are those that cdk synth writes in another folder', async () => {
  const directly = join(folder, 'directly')
  await synthesise(directly, true)
  const read = async (from: string) => {
    const names = await readdir(from, { recursive: true })
    const files = names.filter(name => /template\.json$|^asset\..*\.(js|map)$/.test(name)).sort()
    return Promise.all(files.map(async name => [name, await readFile(join(from, name), 'utf8')] as const))
  }
  const files = await read(directly)
  expect(files).toHaveLength(5)
  expect(await read(byCli)).toEqual(files)
})

test('`npm run deploy` makes the warnings of the stack errors of the CLI', async () => {
  expect(JSON.parse(await readFile('package.json', 'utf8')).scripts.deploy).toBe('cdk deploy --strict')
  const stderr = expect.stringContaining('-c edge=true is not for a deployment.')
  await expect(ofCli).rejects.toMatchObject({ code: 1, stderr })
})
