import { fileURLToPath } from 'node:url'
import { type BuildOptions, build } from 'esbuild'
import { bundling } from '../infra/functions/node-function.ts'

const folder = fileURLToPath(new URL('../node_modules/.cache/price-lookup/bench/', import.meta.url))

/** Bundles the SDK unchanged, with its whole chain of credential providers. */
export const stock: BuildOptions = { alias: {} }

export function bundleFunction(name: 'get-price' | 'list-prices', as: string, changes: BuildOptions = {}) {
  return bundle(as, { entryPoints: [`lambda/handlers/${name}.ts`], ...changes })
}

/** Bundles as the stack bundles its functions. Returns the file. */
export async function bundle(as: string, input: BuildOptions): Promise<string> {
  const file = `${folder}${as}.cjs`
  await build({ ...bundling, outfile: file, logLevel: 'error', ...input })
  return file
}
