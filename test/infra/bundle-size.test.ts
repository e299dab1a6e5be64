import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { bundle } from '../../bench/bundle.ts'

/** A few per cent above what they are: whoever needs more says so here. `node bench/bench.ts size` shows what is in them. */
const most = { minified: 300_000, gzip: 92_000 }

test.each(['get-price', 'list-prices'])('the bundle of %s stays small', async name => {
  const folder = await mkdtemp(join(tmpdir(), 'price-lookup-size-'))
  const { file } = await bundle(`lambda/handlers/${name}.ts`, folder, name)
  const code = await readFile(file)
  await rm(folder, { recursive: true })
  expect(code.length).toBeLessThan(most.minified)
  expect(gzipSync(code).length).toBeLessThan(most.gzip)
})
