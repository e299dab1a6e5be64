import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { writeBundle } from '../../../infra/functions/node-function.ts'

const large = Number.POSITIVE_INFINITY

// The limits of the functions that callers wait for are a few per cent above the present sizes, in bytes.
test.each([
  ['lambda/handlers/get-price.ts', 300_000, 92_000],
  ['lambda/handlers/list-prices.ts', 300_000, 92_000],
  ['smoke/probe.ts', large, large],
  ['infra/functions/before-allow-traffic.ts', large, large],
])('the bundle of %s takes credentials from the environment only, and imports nothing at run time', async (...row) => {
  const [entry, maxBytes, maxGzipBytes] = row
  const folder = await mkdtemp(join(tmpdir(), 'price-lookup-bundle-'))
  writeBundle(entry, join(folder, 'index.js'))
  const code = await readFile(join(folder, 'index.js'), 'utf8')
  await rm(folder, { recursive: true })
  expect(code).not.toMatch(/AWS_CONTAINER_CREDENTIALS|AWS_WEB_IDENTITY_TOKEN_FILE|sso_start_url|\bimport\(/)
  expect(Buffer.byteLength(code)).toBeLessThan(maxBytes)
  expect(gzipSync(code).length).toBeLessThan(maxGzipBytes)
})
