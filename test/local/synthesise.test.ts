import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { hashSources } from '../../local/synthesise.ts'

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
  for (const unused of ['test/a.ts', 'local/a.ts', 'node_modules/a/index.js']) {
    expect(await hashAfterWriting(unused, 'a')).toBe(hashes.at(-1))
  }
  expect(await hashAfterWriting('infra/app.ts', 'a')).not.toBe(hashes.at(-1))
  await rm(folder, { recursive: true })
})
