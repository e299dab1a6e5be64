import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../..')

/**
 * Copies the repository. Links the packages, but not their cache.
 *
 * @returns the folder of the copy, below a temporary one that its disposal removes
 */
export async function copyRepository() {
  const parent = await mkdtemp(join(tmpdir(), 'price-lookup-copy-'))
  const folder = join(parent, 'a/deep/copy')
  const left = ['.git', 'cdk.out', 'coverage', 'node_modules']
  await cp(root, folder, { recursive: true, filter: source => !left.includes(relative(root, source)) })
  await mkdir(join(folder, 'node_modules'))
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (name !== '.cache') await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  return { parent, folder, [Symbol.asyncDispose]: () => rm(parent, { recursive: true }) }
}
