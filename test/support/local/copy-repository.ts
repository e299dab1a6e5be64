import { cp, mkdir, readdir, symlink } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../..')

/** Copies the repository. Links the packages, but not their cache. */
export async function copyRepository(folder: string): Promise<void> {
  const left = ['.git', 'cdk.out', 'coverage', 'node_modules']
  await cp(root, folder, { recursive: true, filter: source => !left.includes(relative(root, source)) })
  await mkdir(join(folder, 'node_modules'))
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (name !== '.cache') await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
}
