import { cp, mkdir, readdir, symlink } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { compileContracts } from '../../../local/chains/contracts/compile.ts'

const root = resolve(import.meta.dirname, '../../..')

/** Copies the repository. Links the packages. Of their cache, it copies the compiled contracts. */
export async function copyRepository(folder: string): Promise<void> {
  const left = ['.git', 'cdk.out', 'coverage', 'node_modules']
  await cp(root, folder, { recursive: true, filter: source => !left.includes(relative(root, source)) })
  await mkdir(join(folder, 'node_modules'))
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (name !== '.cache') await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  // Compiles them if the cache has none.
  await compileContracts()
  const cache = 'node_modules/.cache/price-lookup'
  const isCopied = (source: string) => source.endsWith('price-lookup') || /contracts-\w+\.json$/.test(source)
  await cp(join(root, cache), join(folder, cache), { recursive: true, filter: isCopied })
}
