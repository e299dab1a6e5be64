import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { StartFailure } from './start-failure.ts'

const cdk = createRequire(import.meta.url).resolve('aws-cdk/bin/cdk')
const root = fileURLToPath(new URL('..', import.meta.url))
const cacheFolder = join(root, 'node_modules/.cache/price-lookup/synthesised')

/** The environment whose template the local run uses. */
const environment = 'dev'

/** What the stack is not made of. Everything else in the repository is in the cache's key. */
const notInStack = ['.git', 'cdk.out', 'coverage', 'local', 'node_modules', 'test']

/**
 * Bundles the functions and synthesises the stack into a folder, as `cdk synth` does.
 *
 * CDK takes some 4 s, so its latest result is cached in `node_modules/.cache`, under a hash of all files of the stack.
 *
 * @param hasEdge whether the environment gets an edge, which it does not have when it is deployed
 * @returns the template's path
 * @throws {StartFailure} with CDK's error output.
 */
export async function synthesise(folder: string, hasEdge = false): Promise<string> {
  // Of another length, so that both results stay cached.
  const suffix = hasEdge ? '-edge' : ''
  const key = (await hashSources(root)) + suffix
  const template = join(folder, `price-lookup-${environment}.template.json`)
  try {
    await cp(join(cacheFolder, key), folder, { recursive: true })
    return template
  } catch {}
  await runCdk(folder, hasEdge)
  // A file that changed meanwhile may be in the result.
  if ((await hashSources(root)) + suffix === key) await cache(folder, key)
  return template
}

/** Replaces the cached result. A concurrent run sees the complete folder or none. */
async function cache(folder: string, key: string): Promise<void> {
  await mkdir(cacheFolder, { recursive: true })
  const others = (await readdir(cacheFolder)).filter(name => name !== key && name.length === key.length)
  await Promise.all(others.map(name => rm(join(cacheFolder, name), { recursive: true, force: true })))
  const written = join(cacheFolder, randomUUID())
  await cp(folder, written, { recursive: true })
  // This fails when another run has cached the same result first.
  await rename(written, join(cacheFolder, key)).catch(() => rm(written, { recursive: true }))
}

async function runCdk(folder: string, hasEdge: boolean): Promise<void> {
  const context = ['-c', `environment=${environment}`, ...(hasEdge ? ['-c', 'edge=true'] : [])]
  const args = [cdk, 'synth', '--quiet', ...context, '--output', folder]
  // CDK runs the stack's program with the first `node` of the path, which must be this one.
  const path = [dirname(process.execPath), process.env['PATH']].join(delimiter)
  try {
    await promisify(execFile)(process.execPath, args, { cwd: root, env: { ...process.env, PATH: path } })
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
    throw new StartFailure(`The stack cannot be synthesised:\n${output.trim()}`)
  }
}

/** Hashes the version of Node and every file that the stack may be made of: names and contents. */
export async function hashSources(folder: string): Promise<string> {
  const hash = createHash('sha256').update(process.version)
  const names = await readdir(folder)
  for (const name of names.filter(name => !notInStack.includes(name)).sort()) {
    for (const file of await listFiles(join(folder, name))) {
      const content = await readFile(file)
      hash.update(`${relative(folder, file)} ${content.length} `).update(content)
    }
  }
  return hash.digest('hex')
}

/** Lists the files in a folder, or the file itself. */
async function listFiles(path: string): Promise<string[]> {
  if ((await stat(path)).isFile()) return [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
}
