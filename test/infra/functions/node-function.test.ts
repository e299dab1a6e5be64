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

/**
 * Providers of credentials that no function has, dynamic imports, and the exports of an ES module, which loads more.
 */
const notInBundle = /AWS_CONTAINER_CREDENTIALS|AWS_WEB_IDENTITY_TOKEN_FILE|sso_start_url|\bimport\(|\bexport\{/

/** Bundles a function, and expects that nothing is in it that takes time to load. */
async function bundle(entry: string) {
  const file = join(folder, basename(entry, '.ts'), 'index.js')
  writeBundle(entry, file)
  const code = await readFile(file, 'utf8')
  expect(notInBundle.exec(code)?.[0], entry).toBeUndefined()
  return { file, code }
}

test.each(routes)(
  'the bundle of $handler stays small, takes credentials from the environment only, and has no dynamic import',
  async ({ handler }) => {
    const { code } = await bundle(`lambda/handlers/${handler}.ts`)
    // A failure prints the handler, and not the bundle.
    expect(code.includes('AWS_SESSION_TOKEN'), handler).toBe(true)
    // The limit is a few per cent above the present sizes.
    expect(code.length).toBeLessThan(300_000)
    expect(gzipSync(code).length).toBeLessThan(92_000)
  },
)

test('the bundles of probe, check of RPC URLs and hook load, which the local run does not have', async () => {
  const probe = await bundle('checks/service/probe.ts')
  const rpcCheck = await bundle('checks/rpc/scheduled-check.ts')
  const hook = await bundle('checks/service/before-allow-traffic.ts')
  for (const { file } of [probe, rpcCheck, hook])
    expect(createRequire(file)(file)).toMatchObject({ handler: expect.any(Function) })
})
