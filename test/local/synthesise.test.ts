import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { hashSources } from '../../local/synthesise.ts'

/** Makes another template in each run. */
const app = `
  import { writeFileSync } from 'node:fs'
  writeFileSync(process.env.CDK_OUTDIR + '/price-lookup-dev.template.json', crypto.randomUUID())`

/** Synthesises the same files three times, and prints whether the third template is the second. */
const synthesiseThrice = (change: string) => `
  import { mkdirSync, readFileSync, rmSync, truncateSync } from 'node:fs'
  import { synthesise } from './local/synthesise.ts'
  const templates = []
  for (const folder of ['node_modules/one', 'node_modules/two', 'node_modules/three']) {
    mkdirSync(folder)
    const template = await synthesise(folder)
    templates.push(readFileSync(template, 'utf8'))
    rmSync('infra/changed.ts', { force: true })
    ${change}
  }
  console.log(templates[1] === templates[2])`

test.each([
  ['', 'true'],
  [' whose files change meanwhile', 'false', "writeFileSync('infra/changed.ts', crypto.randomUUID())"],
  [' whose result is truncated', 'false', '', 'truncateSync(template, 9)'],
])('a stack%s is cached: %s', async (_, isCached, change = '', later = '') => {
  const repository = await mkdtemp(join(tmpdir(), 'price-lookup-repository-'))
  for (const file of ['cdk.json', 'package.json', 'local/run-command.ts', 'local/synthesise.ts']) {
    await cp(file, join(repository, file))
  }
  for (const file of ['package-lock.json', 'tsconfig.json']) await writeFile(join(repository, file), '{}')
  for (const name of ['api', 'infra', 'lambda', 'pages', 'smoke']) await mkdir(join(repository, name))
  await writeFile(join(repository, 'infra/app.ts'), `${app}\n${change}`)
  await mkdir(join(repository, 'node_modules'))
  await symlink(resolve('node_modules/zod'), join(repository, 'node_modules/zod'))
  const args = ['--input-type=module', '--eval', synthesiseThrice(later)]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: repository })
  expect(stdout).toBe(`${isCached}\n`)
  await rm(repository, { recursive: true })
})

test('the key of the cached stack changes with its sources only', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'price-lookup-sources-'))
  const hashAfterWriting = async (file: string, text: string) => {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), text)
    return hashSources(folder)
  }
  for (const name of ['api', 'lambda', 'pages', 'smoke']) await mkdir(join(folder, name))
  for (const file of ['cdk.json', 'package.json', 'package-lock.json', 'tsconfig.json']) {
    await writeFile(join(folder, file), '{}')
  }
  const first = await hashAfterWriting('infra/app.ts', 'a')
  const changes: [file: string, text: string][] = [
    ['infra/app.ts', 'b'],
    ['lambda/feeds/registry.json', '[]'],
    ['pages/board/page.html', 'a'],
    ['api/about.ts', 'a'],
    ['package-lock.json', '{ }'],
  ]
  const hashes = [first]
  for (const [file, text] of changes) hashes.push(await hashAfterWriting(file, text))
  expect(new Set(hashes).size).toBe(changes.length + 1)
  for (const unused of ['test/a.ts', 'start.log', 'tmp/a.ts', 'infra/.app.ts.swp', 'infra/#app.ts#', 'infra/app.ts~']) {
    expect(await hashAfterWriting(unused, 'a')).toBe(hashes.at(-1))
  }
  await rm(folder, { recursive: true })
})
