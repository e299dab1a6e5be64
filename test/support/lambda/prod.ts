import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Network } from '../../../api/networks.ts'
import { variables } from '../../../lambda/settings.ts'
import type { Service } from '../../../local/service.ts'
import { type FunctionProcess, startFunctionProcess } from './function-process.ts'

/** What a process takes of a function in the template. */
interface FunctionResource {
  readonly Properties: {
    readonly Handler: string
    readonly MemorySize: number
    readonly Timeout: number
    readonly LoggingConfig: { readonly LogFormat: string }
    readonly Environment: { readonly Variables: Readonly<Record<string, unknown>> }
  }
  readonly Metadata: { readonly 'aws:cdk:path': string; readonly 'aws:asset:path': string }
}

const runtimeClient = 'aws-lambda-ric@4.0.2'
const run = promisify(execFile)

/**
 * Synthesises `prod` with its bundles, and installs AWS's runtime interface client from npm's registry.
 *
 * @throws {Error} when the client cannot be fetched
 */
export async function synthesiseProd({ parameters, parameterStore }: Service) {
  const folder = await mkdtemp(join(tmpdir(), 'price-lookup-lambda-'))
  const assembly = join(folder, 'cdk.out')
  const client = join(folder, 'node_modules/aws-lambda-ric')
  const synth = ['node_modules/aws-cdk/bin/cdk', 'synth', '--quiet', '-c', 'environment=prod', '--output', assembly]
  const install = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', runtimeClient]
  await Promise.all([run(process.execPath, synth), run('npm', install)])
  // `require` accepts a folder in place of the compiled file.
  await mkdir(join(client, 'rapid-client.node'))
  const transport = new URL('./rapid-client.ts', import.meta.url)
  await writeFile(join(client, 'rapid-client.node/index.js'), `export * from '${transport}'`)

  const template = JSON.parse(await readFile(join(assembly, 'price-lookup-prod.template.json'), 'utf8'))
  const resources = Object.values<FunctionResource>(template.Resources)
  const find = (id: string): FunctionResource => {
    const found = resources.find(({ Metadata }) => Metadata?.['aws:cdk:path'] === `price-lookup-prod/${id}/Resource`)
    if (found === undefined) throw new RangeError(`The template has no function ${id}.`)
    return found
  }
  return {
    /** Sets the parameter whose name the template gives to `GetPrice`. */
    setRpcUrls(network: Network, rpcUrls: readonly string[]): void {
      const { Variables } = find('GetPrice').Properties.Environment
      parameters.set(`${Variables[variables.toRpcUrlsParameter(network)]}`, rpcUrls.join(' '))
    },
    /** Starts a function by the id of its construct. `env` replaces variables, or removes those that are undefined. */
    start(id: string, { env = {} }: { readonly env?: NodeJS.ProcessEnv } = {}): Promise<FunctionProcess> {
      const { Properties, Metadata } = find(id)
      const cwd = join(assembly, Metadata['aws:asset:path'])
      // The home folder has no configuration of AWS's client.
      const ofFolder = { LAMBDA_TASK_ROOT: cwd, HOME: folder, PATH: process.env['PATH'] }
      return startFunctionProcess([process.execPath, join(client, 'index.mjs')], {
        cwd,
        env: { ...toEnv(id, Properties), ...ofFolder, ...parameterStore.variables, ...env },
        timeoutMs: 1_000 * Properties.Timeout,
      })
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}

/**
 * Returns what Lambda sets, and the variables of the template. A value that only a deployment knows becomes a URL.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 */
function toEnv(id: string, { Handler, MemorySize, LoggingConfig, Environment }: FunctionResource['Properties']) {
  const ofTemplate = Object.entries(Environment.Variables).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : 'https://deployed.example',
  ])
  return {
    AWS_REGION: 'us-east-1',
    AWS_SECRET_ACCESS_KEY: 'test',
    _HANDLER: Handler,
    AWS_LAMBDA_FUNCTION_NAME: id,
    AWS_LAMBDA_FUNCTION_VERSION: '1',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: `${MemorySize}`,
    AWS_LAMBDA_LOG_FORMAT: LoggingConfig.LogFormat,
    AWS_LAMBDA_LOG_GROUP_NAME: 'group',
    AWS_LAMBDA_LOG_STREAM_NAME: 'stream',
    ...Object.fromEntries(ofTemplate),
  }
}
