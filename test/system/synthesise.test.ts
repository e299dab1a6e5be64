import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { synthesise } from '../../local/synthesise.ts'
import { copyRepository } from '../support/local/copy-repository.ts'

let folder: string
let byCli: string
/** Runs `cdk synth` in a copy of the repository. */
let runCli: (environment: string, ...args: readonly string[]) => Promise<unknown>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'price-lookup-synthesised-'))
  const copy = join(folder, 'a/deep/copy')
  await copyRepository(copy)
  const environments = join(copy, 'infra/environments.ts')
  const text = await readFile(environments, 'utf8')
  await writeFile(environments, text.replace(/alarmEmail: .* }$/m, 'alarmEmail: undefined }'))
  byCli = join(folder, 'by-cli')
  runCli = (environment, ...args) => {
    const command = ['node_modules/aws-cdk/bin/cdk', 'synth', '--quiet', '--strict', '-c', `environment=${environment}`]
    return promisify(execFile)(process.execPath, [...command, ...args], { cwd: copy })
  }
})

afterAll(() => rm(folder, { recursive: true }))

test('the template, bundles and source maps are those that cdk synth writes in another folder', async () => {
  const directly = dirname(await synthesise(join(folder, 'directly')))
  await runCli('dev', '-c', 'sourceMaps=true', '--output', byCli)
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
  const stderr = expect.stringContaining('account cannot be deployed without alarmEmail.')
  await expect(runCli('account')).rejects.toMatchObject({ code: 1, stderr })
})
