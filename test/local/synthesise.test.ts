import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashSources, synthesise } from '../../local/synthesise.ts'

let folder: string
let ofCli: Promise<unknown>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'price-lookup-synthesised-'))
  const cdk = createRequire(import.meta.url).resolve('aws-cdk/bin/cdk')
  const context = ['-c', 'environment=dev', '-c', 'edge=true', '-c', 'sourceMaps=true']
  const args = [cdk, 'synth', '--quiet', '--strict', ...context, '--output', join(folder, 'by-cli')]
  ofCli = promisify(execFile)(process.execPath, args)
  await ofCli.catch(() => {})
}, 180_000)

afterAll(() => rm(folder, { recursive: true }))

test('the template is the one that cdk synth writes, with context of the command', async () => {
  const path = await synthesise(join(folder, 'directly'), true)
  const byCli = join(folder, 'by-cli', basename(path))
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(JSON.parse(await readFile(byCli, 'utf8')))
}, 60_000)

test('`npm run deploy` makes the warnings of the stack errors of the CLI', async () => {
  expect(JSON.parse(await readFile('package.json', 'utf8')).scripts.deploy).toBe('cdk deploy --strict')
  const stderr = expect.stringContaining('-c edge=true is not for a deployment.')
  await expect(ofCli).rejects.toMatchObject({ code: 1, stderr })
})

test('the key of the cached stack changes with every file but those that the stack is not made of', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'price-lookup-sources-'))
  const hashAfterWriting = async (file: string, text: string) => {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), text)
    return hashSources(folder)
  }
  const first = await hashAfterWriting('infra/app.ts', 'a')
  const changes: [file: string, text: string][] = [
    ['infra/app.ts', 'b'],
    ['lambda/feeds/registry.json', '[]'],
    ['board/page.html', 'a'],
    ['a-new-folder/file', 'a'],
    ['openapi.yaml', 'a'],
    ['package-lock.json', '{}'],
  ]
  const hashes = [first]
  for (const [file, text] of changes) hashes.push(await hashAfterWriting(file, text))
  expect(new Set(hashes).size).toBe(changes.length + 1)
  for (const unused of ['test/a.ts', 'local/a.ts', 'node_modules/a/index.js', 'docs/a.ts', 'README.md']) {
    expect(await hashAfterWriting(unused, 'a')).toBe(hashes.at(-1))
  }
  for (const temporary of ['.app.ts.swp', '#app.ts#', '.#app.ts', 'app.ts~', '4913', 'app.ts___jb_tmp___']) {
    expect(await hashAfterWriting(`infra/${temporary}`, 'a')).toBe(hashes.at(-1))
  }
  expect(await hashAfterWriting('infra/app.ts', 'a')).not.toBe(hashes.at(-1))
  await rm(folder, { recursive: true })
})
