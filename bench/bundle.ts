import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { type BuildOptions, build } from 'esbuild'
import { bundling } from '../infra/functions/node-function.ts'
import { formatCount, formatRatio, type Section } from './document.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = fileURLToPath(new URL('../node_modules/.cache/price-lookup/bench/', import.meta.url))

/** Bundles the SDK unchanged, with its whole chain of credential providers. */
export const stock: BuildOptions = { alias: {} }

/** Bundles a function of the service. */
export function bundleFunction(name: 'get-price' | 'list-prices', as: string, changes: BuildOptions = {}) {
  return bundle(as, { entryPoints: [`lambda/handlers/${name}.ts`], ...changes })
}

/** Bundles one line of code, which re-exports something. */
export function bundleCode(contents: string, as: string, changes: BuildOptions = {}) {
  return bundle(as, { stdin: { contents, resolveDir: root }, ...changes })
}

/** Bundles as the stack bundles its functions. Returns the file. */
export async function bundle(as: string, input: BuildOptions): Promise<string> {
  const file = `${folder}${as}.cjs`
  await build({ ...bundling, outfile: file, logLevel: 'error', ...input })
  return file
}

/** The exports of the client that the service uses. */
const clientAlone = `export { GetParametersCommand, SSMClient } from '@aws-sdk/client-ssm'`

/** Measures the bundles of the functions beside those of the client. */
export async function measureSize(): Promise<Section> {
  const record = await bundleFunction('get-price', 'record')
  const list = await bundleFunction('list-prices', 'list')
  const viem = `export { clientAndViem as handler } from './bench/baselines.ts'`
  const bundles = {
    'client-ssm alone': await bundleCode(clientAlone, 'client-alone'),
    'Price Lookup: record': record,
    'Price Lookup: list': list,
    'stock client-ssm alone': await bundleCode(clientAlone, 'stock-client-alone', stock),
    'stock client-ssm and viem': await bundleCode(viem, 'stock-client-and-viem', stock),
  }
  const sizes = await Promise.all(Object.values(bundles).map(measureFile))
  const rows = Object.keys(bundles).map((name, at) => {
    const [minified = 0, ...compressed] = sizes[at] ?? []
    return [name, ...[minified, ...compressed].map(formatCount), formatRatio(minified / (sizes[0]?.[0] ?? Number.NaN))]
  })
  return {
    title: 'Size',
    tables: [{ columns: ['bytes', 'minified', 'gzip', 'brotli', 'of client-ssm alone'], rows }],
    notes: [
      'The functions are bundled with the options of the stack. Bundles named "stock" contain the SDK unchanged, with its whole chain of credential providers; the others take credentials from the environment alone.',
    ],
  }
}

async function measureFile(file: string): Promise<number[]> {
  const code = await readFile(file)
  return [code, gzipSync(code), brotliCompressSync(code)].map(({ length }) => length)
}
