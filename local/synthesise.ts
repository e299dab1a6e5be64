import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { delimiter, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import { StartFailure } from './start-failure.ts'

/** The folder of the repository. */
export const root = fileURLToPath(new URL('..', import.meta.url))
const cacheFolder = join(root, 'node_modules/.cache/price-lookup')
const stackCache = join(cacheFolder, 'synthesised')

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
 * @param hasEdge whether the environment gets an edge, which it does not have when it is deployed
 * @param runApp how to run the stack's program
 * @returns the template's path
 * @throws {StartFailure} with CDK's error output.
 */
export async function synthesise(folder: string, hasEdge = false, runApp?: RunApp): Promise<string> {
  // Of another length, so that both results stay cached.
  const suffix = hasEdge ? '-edge' : ''
  const key = (await hashSources(root)) + suffix
  const template = join(folder, `price-lookup-${environment}.template.json`)
  try {
    await cp(join(stackCache, key), folder, { recursive: true })
    return template
  } catch {}
  await (runApp ?? startApp())(folder, hasEdge)
  // A file that changed meanwhile may be in the result.
  if ((await hashSources(root)) + suffix === key) await cache(folder, key)
  return template
}

/** Replaces the cached result. A concurrent run sees the complete folder or none. */
async function cache(folder: string, key: string): Promise<void> {
  await mkdir(stackCache, { recursive: true })
  const others = (await readdir(stackCache)).filter(name => name !== key && name.length === key.length)
  await Promise.all(others.map(name => rm(join(stackCache, name), { recursive: true, force: true })))
  const written = join(stackCache, randomUUID())
  await cp(folder, written, { recursive: true })
  // This fails when another run has cached the same result first.
  await rename(written, join(stackCache, key)).catch(() => rm(written, { recursive: true }))
}

/**
 * Prepares to synthesise the stack several times: CDK, which takes half of the time, is loaded ahead.
 *
 * @param signal ends the processes
 */
export function createSynthesiser(hasEdge: boolean, signal: AbortSignal): (folder: string) => Promise<string> {
  let next = startApp(signal)
  const runApp: RunApp = (...args) => next(...args).finally(() => (next = startApp(signal)))
  return folder => synthesise(folder, hasEdge, runApp)
}

type RunApp = (folder: string, hasEdge: boolean) => Promise<void>

/** Starts the stack's program, which loads CDK and then waits until the returned function is called, once. */
function startApp(signal?: AbortSignal): RunApp {
  const imports = [...cdkModules, `data:text/javascript,${waitForVariables}`].flatMap(one => ['--import', one])
  // CDK runs npx with the first `node` of the path, which must be this one.
  const PATH = [dirname(process.execPath), process.env['PATH']].join(delimiter)
  const env = { ...process.env, PATH, CDK_VALIDATION: 'false', NODE_COMPILE_CACHE: join(cacheFolder, 'compiled') }
  const options = { cwd: root, env, ...(signal === undefined ? {} : { signal }) }
  const ended = promisify(execFile)(process.execPath, [...imports, 'infra/app.ts'], options)
  // It may end before it is called.
  ended.catch(() => {})
  ended.child.stdin?.on('error', () => {})
  return async (folder, hasEdge) => {
    const { context } = cdkJson.parse(JSON.parse(await readFile(join(root, 'cdk.json'), 'utf8')))
    const CDK_CONTEXT_JSON = JSON.stringify({ ...context, ...contextOfCli, environment, edge: String(hasEdge) })
    ended.child.stdin?.end(JSON.stringify({ CDK_OUTDIR: folder, CDK_CONTEXT_JSON }))
    await ended.catch(error => {
      const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
      // esbuild's errors are enough: without its success before, and CDK's stack trace after them.
      const [, ofBundler] = /(✘ \[ERROR\].*?)\nnode:internal/s.exec(output) ?? []
      throw new StartFailure(`The stack cannot be synthesised:\n${(ofBundler ?? output).trim()}`)
    })
  }
}

/** The modules of CDK that load most of the others. */
const cdkModules = ['aws-cdk-lib/aws-apigateway', 'aws-cdk-lib/aws-lambda-nodejs', 'cdk-nag']

/** Reads the variables that the CDK CLI sets for the stack's program. The CLI itself takes another second. */
const waitForVariables =
  'let text = ""; for await (const part of process.stdin) text += part; Object.assign(process.env, JSON.parse(text))'

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
  for (const file of (await listSources(folder)).files) {
    const content = await readFile(file)
    hash.update(`${relative(folder, file)} ${content.length} `).update(content)
  }
  return hash.digest('hex')
}

/** Lists the files that the stack may be made of, and the folders that they are in. */
export async function listSources(
  folder: string,
  excluded = notInStack,
): Promise<{ folders: string[]; files: string[] }> {
  const entries = await readdir(folder, { withFileTypes: true })
  const sources = entries.filter(({ name }) => !excluded.includes(name) && !notSource.test(name))
  const inside = sources.filter(entry => entry.isDirectory()).map(({ name }) => listSources(join(folder, name), []))
  const nested = await Promise.all(inside)
  const files = sources.filter(entry => entry.isFile()).map(({ name }) => join(folder, name))
  return {
    folders: [folder, ...nested.flatMap(({ folders }) => folders)],
    files: [...files, ...nested.flatMap(one => one.files)].sort(),
  }
}
