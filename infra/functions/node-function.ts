import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AssetHashType, DockerImage } from 'aws-cdk-lib'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import {
  Architecture,
  Code,
  type FunctionOptions,
  LoggingFormat,
  Function as NodeFunction,
  Runtime,
} from 'aws-cdk-lib/aws-lambda'
import type { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { type BuildOptions, buildSync } from 'esbuild'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * How functions are bundled. The bundle contains the SDK, so a function has the version that the tests run, and only
 * the part of its code that is used.
 */
export const bundling = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node24',
  mainFields: ['module', 'main'],
  minify: true,
  alias: { '@aws-sdk/credential-provider-node': './lambda/credential-provider.ts' },
  // Dynamic imports become calls of `require`: an ESM import of `node:http` runs all its getters, one of which loads
  // `fetch`.
  supported: { 'dynamic-import': false },
} as const satisfies BuildOptions

export interface NodeFunctionProps extends FunctionOptions {
  /** The file with the export `handler`, in the repository. */
  readonly entry: string
  readonly logGroup: LogGroup
}

/**
 * Creates a function with a bundle and a role of its own, which may write its log.
 *
 * It calls esbuild itself. CDK's `NodejsFunction` calls it through `npx`, which took more than a third of a synthesis.
 */
export function createNodeFunction(scope: Construct, id: string, props: NodeFunctionProps): NodeFunction {
  const { entry, ...options } = props
  const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
  options.logGroup.grantWrite(role)
  return new NodeFunction(scope, id, {
    ...options,
    role,
    code: toBundle(entry),
    handler: 'index.handler',
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    loggingFormat: LoggingFormat.JSON,
  })
}

/** Bundles when the stack is synthesised with its assets. The tests of the template need no bundle. */
function toBundle(entry: string): Code {
  const tryBundle = (folder: string): boolean => {
    writeBundle(entry, join(folder, 'index.js'))
    return true
  }
  // CDK bundles once for equal options, so the options contain the entry. CDK never uses the image.
  const options = { image: DockerImage.fromRegistry('none'), command: [entry], local: { tryBundle } }
  return Code.fromAsset(root, { assetHashType: AssetHashType.OUTPUT, bundling: options })
}

export function writeBundle(entry: string, file: string): void {
  buildSync({ ...bundling, entryPoints: [entry], outfile: file })
  // The zip keeps the mode, which the umask of the machine that deploys would narrow, and Lambda must read the file.
  chmodSync(file, 0o644)
}
