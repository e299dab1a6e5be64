import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { writeBundle } from '../../../infra/functions/node-function.ts'
import { routes } from '../../support/infra/routes.ts'

const folder = await mkdtemp(join(tmpdir(), 'price-lookup-bundles-'))
afterAll(() => rm(folder, { recursive: true }))

/** Writes the bundle of a function into a folder of its own, and returns the file. */
function bundle(entry: string): string {
  const file = join(folder, basename(entry, '.ts'), 'index.js')
  writeBundle(entry, file)
  return file
}

/** A few per cent above the present sizes, in bytes. */
const maxBytes = { minified: 300_000, gzip: 92_000 }

/** Providers of credentials that no function has, dynamic imports, and the exports of an ES module, which loads more. */
const notInBundle = /AWS_CONTAINER_CREDENTIALS|AWS_WEB_IDENTITY_TOKEN_FILE|sso_start_url|\bimport\(|\bexport\{/

test.each(routes)(
  'the bundle of $handler stays small, takes credentials from the environment only, and has no dynamic import',
  async ({ handler }) => {
    const code = await readFile(bundle(`lambda/handlers/${handler}.ts`))
    expect(code.length).toBeLessThan(maxBytes.minified)
    expect(gzipSync(code).length).toBeLessThan(maxBytes.gzip)
    expect(code.toString()).toContain('AWS_SESSION_TOKEN')
    expect(code.toString()).not.toMatch(notInBundle)
  },
)

test.each(['smoke/probe.ts', 'smoke/before-allow-traffic.ts'])(
  '%s, which the local run does not have, is bundled and loads',
  async entry => {
    const file = bundle(entry)
    expect(createRequire(file)(file)).toMatchObject({ handler: expect.any(Function) })
    expect(await readFile(file, 'utf8')).not.toMatch(notInBundle)
  },
)
