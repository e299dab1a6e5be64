import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Metafile } from 'esbuild'
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

/** With the SDK as it comes, and its whole chain of credential providers. */
export const stock: BuildOptions = { alias: {} }

/** As an ES module, which the SDK's own `require` must be brought into. */
export const esModule: BuildOptions = {
  format: 'esm',
  supported: {},
  banner: {
    js: `import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);`,
  },
}

/**
 * Bundles a program as the stack bundles its functions; the size part proves that both come to the same bytes.
 *
 * @param entry below the repository's folder
 * @param changes what is done otherwise than there
 */
export async function bundle(entry: string, folder: string, name: string, changes: BuildOptions = {}): Promise<Bundle> {
  const file = join(folder, `${name}.${changes.format === 'esm' ? 'mjs' : 'cjs'}`)
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
    alias: { '@aws-sdk/credential-provider-node': './lambda/credential-provider.ts' },
    // Beside the bundle, which does not name it.
    sourcemap: 'external',
    logLevel: 'error',
    ...changes,
    metafile: true,
  })
  return { file, metafile }
}

/** With other feeds in the place of the real registry. */
export function withRegistry(served: Registry): BuildOptions {
  return {
    plugins: [
      {
        name: 'registry',
        setup: ({ onLoad }) =>
          onLoad({ filter: /feeds\/registry\.json$/ }, () => ({ contents: JSON.stringify(served), loader: 'json' })),
      },
    ],
  }
}
