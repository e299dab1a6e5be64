import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Metafile, type Plugin } from 'esbuild'
import type registry from '../lambda/feeds/registry.json'

/** A bundled program, and what it is made of. */
export interface Bundle {
  readonly file: string
  readonly metafile: Metafile
}

/** The feeds of both networks, as their file has them. */
export type Registry = typeof registry

/** The repository's folder. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Bundles a program as the stack bundles its functions; the size part proves that both come to the same bytes.
 *
 * @param entry below the repository's folder
 * @param served the registry to put in the place of the real one
 */
export async function bundle(entry: string, folder: string, name: string, served?: Registry): Promise<Bundle> {
  const file = join(folder, `${name}.cjs`)
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: file,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    supported: { 'dynamic-import': false },
    mainFields: ['module', 'main'],
    minify: true,
    // The baselines take the stock client as it is.
    alias: entry.startsWith('lambda/')
      ? { '@aws-sdk/credential-provider-node': './lambda/credential-provider.ts' }
      : {},
    // Beside the bundle, which does not name it.
    sourcemap: 'external',
    metafile: true,
    logLevel: 'error',
    plugins: served === undefined ? [] : [replaceRegistry(served)],
  })
  return { file, metafile }
}

function replaceRegistry(served: Registry): Plugin {
  return {
    name: 'registry',
    setup: ({ onLoad }) =>
      onLoad({ filter: /feeds\/registry\.json$/ }, () => ({ contents: JSON.stringify(served), loader: 'json' })),
  }
}
