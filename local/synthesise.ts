import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import { StartFailure } from './run-command.ts'

/** The folder of the repository. */
const root = fileURLToPath(new URL('..', import.meta.url))
const cacheFolder = join(root, 'node_modules/.cache/price-lookup')

/** The environment whose template the local run uses. */
const environment = 'dev'

/** What the stack is not made of, in the repository's folder. Everything else is in the cache's key. */
const notInStack = ['bench', 'cdk.out', 'coverage', 'docs', 'local', 'node_modules', 'test']

/** Hidden files, documents, and the temporary files of vim, Emacs and JetBrains' editors. */
const notSource = /^[.#]|^4913$|~$|___$|\.(md|tmp)$/

/**
 * Bundles the functions and synthesises the stack into a folder, as `cdk synth` does, but without checking the template.
 *
 * CDK takes some 2 s, so its latest result is cached in `node_modules/.cache`, under a hash of all files of the stack.
 *
 * @returns the template's path
 * @throws {StartFailure} with CDK's error output
 */
export async function synthesise(folder: string): Promise<string> {
  const cache = join(cacheFolder, 'synthesised')
  const key = await hashSources(root)
  const template = join(folder, `price-lookup-${environment}.template.json`)
  try {
    await cp(join(cache, key), folder, { recursive: true })
    return template
  } catch {}
  await runApp(folder)
  // A file that changed meanwhile may be in the result.
  if ((await hashSources(root)) === key) await replaceCached(cache, key, folder)
  return template
}

/** Replaces the cached result. A concurrent run sees the complete folder or none. */
async function replaceCached(cache: string, key: string, folder: string): Promise<void> {
  await mkdir(cache, { recursive: true })
  const outdated = (await readdir(cache)).filter(name => name !== key && name.length === key.length)
  await Promise.all(outdated.map(name => rm(join(cache, name), { recursive: true, force: true })))
  const written = join(cache, randomUUID())
  await cp(folder, written, { recursive: true })
  // This fails when another run has cached the same result first.
  await rename(written, join(cache, key)).catch(() => rm(written, { recursive: true }))
}

/** Runs the stack's program with the variables that the CDK CLI sets for it. The CLI itself takes another second. */
async function runApp(folder: string): Promise<void> {
  const { context } = cdkJson.parse(JSON.parse(await readFile(join(root, 'cdk.json'), 'utf8')))
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: join(cacheFolder, 'compiled'),
    CDK_VALIDATION: 'false',
    CDK_OUTDIR: folder,
    CDK_CONTEXT_JSON: JSON.stringify({ ...context, ...contextOfCli, environment, sourceMaps: 'true' }),
  }
  try {
    await promisify(execFile)(process.execPath, ['infra/app.ts'], { cwd: root, env })
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
    // esbuild's errors are enough, without the stack trace after them.
    const [, ofBundler] = /(✘ \[ERROR\].*?)\n(node:internal| {4}at )/s.exec(output) ?? []
    throw new StartFailure(`The stack cannot be synthesised:\n${(ofBundler ?? output).trim()}`)
  }
}

const cdkJson = z.object({ context: z.record(z.string(), z.unknown()) })

/** The paths of constructs and bundles in the template's metadata, and no resource with CDK's version. */
const contextOfCli = {
  'aws:cdk:enable-path-metadata': true,
  'aws:cdk:enable-asset-metadata': true,
  'aws:cdk:version-reporting': false,
  'aws:cdk:bundling-stacks': ['**'],
}

/** Hashes the version of Node and every file that the stack may be made of: names and contents. */
export async function hashSources(folder: string): Promise<string> {
  const hash = createHash('sha256').update(process.version)
  for (const file of await listSources(folder)) {
    const content = await readFile(file)
    hash.update(`${relative(folder, file)} ${content.length} `).update(content)
  }
  return hash.digest('hex')
}

/** Lists the files that the stack may be made of. */
async function listSources(folder: string, excluded = notInStack): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const sources = entries.filter(({ name }) => !excluded.includes(name) && !notSource.test(name))
  const inside = sources.filter(entry => entry.isDirectory()).map(({ name }) => listSources(join(folder, name), []))
  const files = sources.filter(entry => entry.isFile()).map(({ name }) => join(folder, name))
  return [...files, ...(await Promise.all(inside)).flat()].sort()
}
