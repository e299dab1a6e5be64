import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { delimiter, dirname } from 'node:path'
import { promisify } from 'node:util'
import { StartFailure } from './start-failure.ts'

const cdk = createRequire(import.meta.url).resolve('aws-cdk/bin/cdk')
const root = new URL('..', import.meta.url)

/** The environment whose template runs on this machine. */
const environment = 'dev'

/**
 * Bundles the functions and synthesises the stack into a folder, as `cdk synth` does.
 *
 * @returns the template's path
 * @throws {StartFailure} with what CDK said, when it fails.
 */
export async function synthesise(folder: string): Promise<string> {
  const args = [cdk, 'synth', '--quiet', '-c', `environment=${environment}`, '--output', folder]
  // CDK runs the stack's program with the `node` that it finds: let it find this one.
  const path = [dirname(process.execPath), process.env['PATH']].join(delimiter)
  const env = { ...process.env, PATH: path }
  try {
    await promisify(execFile)(process.execPath, args, { cwd: root, env })
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
    throw new StartFailure(`The stack cannot be synthesised:\n${said.trim()}`)
  }
  return `${folder}/price-lookup-${environment}.template.json`
}
