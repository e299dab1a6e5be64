import { execFile } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildSync } from 'esbuild'
import { afterAll, expect, test } from 'vitest'
import { bundling, writeBundle } from '../../infra/functions/node-function.ts'
import { routes } from '../support/infra/routes.ts'
import { copyRepository } from '../support/local/copy-repository.ts'

const copy = await copyRepository()
afterAll(copy[Symbol.asyncDispose])
const environments = join(copy.folder, 'infra/environments.ts')
const text = await readFile(environments, 'utf8')
await writeFile(environments, text.replace(/alarmEmail: .* }$/m, 'alarmEmail: undefined }'))
const byCli = join(copy.parent, 'by-cli')

/** Runs `cdk synth` in the copy of the repository. */
function runCli(environment: string, ...args: readonly string[]): Promise<unknown> {
  const command = ['node_modules/aws-cdk/bin/cdk', 'synth', '--quiet', '-c', `environment=${environment}`]
  // With this umask, only the owner may read new files.
  const shell = ['-c', 'umask 077 && exec "$0" "$@"', process.execPath]
  return promisify(execFile)('sh', [...shell, ...command, ...args], { cwd: copy.folder })
}

test('another checkout deploys no bundle again, and Lambda can read those of any machine', async () => {
  await runCli('prod', '--output', byCli)
  const template = JSON.parse(await readFile(join(byCli, 'price-lookup-prod.template.json'), 'utf8'))
  const resources: { Type: string; Metadata?: Record<string, string> }[] = Object.values(template.Resources)
  const assets = resources.filter(({ Type }) => Type === 'AWS::Lambda::Function').map(({ Metadata }) => Metadata)
  const files = assets.map(asset => join(byCli, `${asset?.['aws:asset:path']}`, 'index.js'))
  for (const file of files) expect((await stat(file)).mode & 0o777).toBe(0o644)
  const written = await Promise.all(files.map(file => readFile(file, 'utf8')))
  const handlers = routes.map(({ handler }) => `lambda/handlers/${handler}.ts`)
  const entries = [
    ...handlers,
    'checks/service/probe.ts',
    'checks/rpc/scheduled-check.ts',
    'checks/service/before-allow-traffic.ts',
  ]
  const here = entries.map(entry => buildSync({ ...bundling, entryPoints: [entry], write: false }).outputFiles[0]?.text)
  expect(written.toSorted()).toEqual(here.toSorted())
})

test('the command of the runbook finds the source of a minified frame', async () => {
  const file = join(copy.parent, 'minified', 'index.js')
  writeBundle('lambda/handlers/get-price.ts', file)
  // Without its variables, the function ends in `parse` of the settings.
  const started = promisify(execFile)(process.execPath, [file], { env: {} })
  const { stderr } = await started.catch(error => error)
  const [, line, column] = /index\.js:(\d+):(\d+)\)\n/.exec(stderr) ?? []
  const runbook = await readFile('docs/operations.md', 'utf8')
  const [command = ''] = /(?<=```sh\n)npx node --input-type=module.*?(?=\n```)/s.exec(runbook) ?? []
  const found = command.replace(/get-price \d+ \d+$/, `get-price ${line} ${column}`)
  expect(found).not.toBe(command)
  const { stdout } = await promisify(execFile)('sh', ['-c', found])
  expect(stdout).toContain("fileName: 'lambda/settings.ts'")
})

test('`npm run deploy` makes the warnings of the stack errors of the CLI', async () => {
  expect(JSON.parse(await readFile('package.json', 'utf8')).scripts.deploy).toBe('cdk deploy --strict')
  const stderr = expect.stringContaining('account cannot be deployed without alarmEmail.')
  await expect(runCli('account', '--strict')).rejects.toMatchObject({ code: 1, stderr })
})

test.each([['infra/app.ts'], ['local/invoke.ts', 'local/events/get-price-crwd.json']])(
  'an error of the registry ends %s with a sentence, before anything is built from it',
  async (...command) => {
    const registry = join(copy.folder, 'lambda/feeds/registry.json')
    const registered = await readFile(registry, 'utf8')
    await writeFile(registry, registered.replace('"AAPL"', '"AMC"'))
    const stderr = 'lambda/feeds/registry.json has errors.\n  mainnet AMC symbol: AMC is already the symbol of AMC.\n'
    const failed = promisify(execFile)(process.execPath, command, { cwd: copy.folder })
    await expect(failed).rejects.toMatchObject({ code: 1, stdout: '', stderr })
  },
)
