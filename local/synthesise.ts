import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { globSync } from 'node:fs'
import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import { StartFailure } from './run-command.ts'

/** The folder of the repository. */
const root = fileURLToPath(new URL('..', import.meta.url))
const cacheFolder = join(root, 'node_modules/.cache/price-lookup')

/** The environment whose template the local run uses. */
const environment = 'dev'

/** What the stack is made of, without documents and the temporary files of editors, which may be gone before they are read. */
const sources = [
  '{cdk,package,package-lock,tsconfig}.json',
  '{api,infra,lambda,pages,smoke}/**/[!.#]*.{ts,tsx,css,html,json,yul}',
]

/**
 * Bundles the functions and synthesises the stack, as `cdk synth` does, but without checking the template.
 *
 * CDK takes some 2 s, so a result stays in `node_modules/.cache` and is used there, under a hash of the sources. One that
 * was changed there is not used. A folder that cannot be read or written there is no failure.
 *
 * @param folder for the result that is not there yet
 * @returns the template's path
 * @throws {StartFailure} with CDK's error output
 */
export async function synthesise(folder: string): Promise<string> {
  const key = await hashSources(root)
  const cached = join(cacheFolder, key)
  const template = `price-lookup-${environment}.template.json`
  if (await isIntact(cached)) return join(cached, template)
  await runApp(folder)
  // Otherwise a `package.json` in a folder above would decide how Node loads the bundles.
  await writeFile(join(folder, 'package.json'), '{ "type": "commonjs" }')
  const written = join(cacheFolder, randomUUID())
  try {
    // A file that changed meanwhile may be in the result.
    if ((await hashSources(root)) !== key) return join(folder, template)
    await writeFile(join(folder, checksum), await hashResult(folder))
    await cp(folder, written, { recursive: true })
    // This fails when another run has cached the same result first.
    await rename(written, cached)
  } catch {
    await rm(written, { recursive: true, force: true }).catch(() => {})
  }
  return join(folder, template)
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

/** The file with the hash of a cached result. */
const checksum = 'sha256'

async function isIntact(cached: string): Promise<boolean> {
  const both = Promise.all([readFile(join(cached, checksum), 'utf8'), hashResult(cached)])
  const [expected, found] = await both.catch(() => [])
  return expected !== undefined && expected === found
}

const hashResult = (folder: string) => hashFiles(folder, ['**/*.{js,json,map}'])
export const hashSources = (folder: string) => hashFiles(folder, sources)

/** Hashes the version of Node, and names and contents of files. */
async function hashFiles(folder: string, patterns: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(process.version)
  for (const file of globSync(patterns, { cwd: folder }).sort()) {
    const content = await readFile(join(folder, file))
    hash.update(`${file} ${content.length} `).update(content)
  }
  return hash.digest('hex')
}
