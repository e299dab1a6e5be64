import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ofEachNetwork } from '../../lambda/networks.ts'
import { type Gateway, startGateway } from '../../local/gateway/gateway.ts'
import { type Sandbox, startSandbox } from '../../local/sandbox.ts'

/** Generators of clients, and the compiler for what they generate. */
const packages = {
  typescript: '5.9.3',
  'openapi-typescript': '7.13.0',
  'hey-api': 'npm:@hey-api/openapi-ts@0.99.0',
  'orval-7': 'npm:orval@7.13.2',
  'orval-8': 'npm:orval@8.0.0',
  'swagger-typescript-api': '13.2.16',
}

let folder: string
let sandbox: Sandbox
let gateway: Gateway

const inFolder = (file: string) => join(folder, file)
const isInstalled = (name: string) => existsSync(inFolder(`node_modules/${name}/package.json`))

/** Runs a program of an installed package, in the folder. */
async function run([program, ...args]: readonly string[]): Promise<void> {
  const command = [inFolder(`node_modules/${program}`), ...args]
  const child = promisify(execFile)(process.execPath, command, { cwd: folder })
  await child.catch(({ message, stdout }) => {
    throw new Error(`${message}\n${stdout}`)
  })
}

/** Installs what the registry has: npm leaves out an optional dependency that it cannot install. */
async function install(): Promise<void> {
  await writeFile(inFolder('package.json'), JSON.stringify({ type: 'module', optionalDependencies: packages }))
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']
  await promisify(execFile)('npm', ['install', ...options], { cwd: folder })
  for (const [name, version] of Object.entries(packages)) {
    if (!isInstalled(name)) process.stderr.write(`\n*** NOT RUN: the registry lacks ${name} ${version} ***\n\n`)
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'price-lookup-clients-'))
  const [started] = await Promise.all([startSandbox(ofEachNetwork(() => 'embedded')), install()])
  sandbox = started
  gateway = await startGateway({ ...sandbox, host: '127.0.0.1', port: 0 })
  const output = { target: 'orval-8.ts', client: 'fetch', baseUrl: gateway.baseUrl }
  const config = { api: { input: `${gateway.baseUrl}/openapi.json`, output } }
  await writeFile(inFolder('orval-8.config.mjs'), `export default ${JSON.stringify(config)}`)
}, 240_000)

afterAll(async () => {
  await gateway?.stop()
  await sandbox?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

/** Generates a client from a URL, or from an orval configuration file. */
const generators = {
  'openapi-typescript': url => ['openapi-typescript/bin/cli.js', url, '--output', 'openapi-typescript.ts'],
  'hey-api': url => ['hey-api/bin/run.js', '--input', url, '--output', 'hey-api'],
  'orval-7': url => ['orval-7/dist/bin/orval.js', '--input', url, '--output', 'orval-7.ts', '--client', 'fetch'],
  'swagger-typescript-api': url => [
    'swagger-typescript-api/dist/cli.js',
    ...['generate', '--path', url],
    ...['--output', '.', '--name', 'swagger-typescript-api.ts'],
  ],
  'orval-8': () => ['orval-8/dist/bin/orval.mjs', '--config', 'orval-8.config.mjs'],
} satisfies Record<string, (url: string) => readonly [program: string, ...args: string[]]>

/** A program that lists the testnet's prices and asks for an unknown symbol, with a generated client. */
const callers = {
  'hey-api': `
    import { client } from './hey-api/client.gen'
    import { getPrice, listPrices } from './hey-api'
    export async function call(baseUrl: string) {
      client.setConfig({ baseUrl })
      const { data } = await listPrices({ query: { network: 'testnet' } })
      const { error } = await getPrice({ path: { symbol: 'NONE' } })
      const prices: (number | null)[] = data?.feeds.map(feed => ('problem' in feed ? null : feed.price)) ?? []
      return [...prices, error?.title]
    }`,
  'swagger-typescript-api': `
    import { Api } from './swagger-typescript-api'
    export async function call() {
      // Without a base URL: the description has it.
      const api = new Api({ baseApiParams: { format: 'json' } })
      const { data } = await api.price.listPrices({ network: 'testnet' })
      const { error } = await api.price.getPrice('NONE').catch(response => response)
      const prices: (number | null)[] = data.feeds.map(feed => ('problem' in feed ? null : feed.price))
      return [...prices, error.title]
    }`,
  'orval-8': `
    import { getPrice, listPrices } from './orval-8'
    export async function call() {
      const list = await listPrices({ network: 'testnet' })
      const { status, data } = await getPrice('NONE')
      const feeds = list.status === 200 ? list.data.feeds : []
      const prices: (number | null)[] = feeds.map(feed => ('problem' in feed ? null : feed.price))
      return [...prices, status === 404 && data.title]
    }`,
}

async function compile(file: string): Promise<void> {
  const options =
    '--strict --noEmit --module esnext --moduleResolution bundler --target es2023 --lib es2023,dom,dom.iterable'
  await run(['typescript/bin/tsc', ...options.split(' '), '--skipLibCheck', file])
}

const missing = (name: string) => !isInstalled(name) || !isInstalled('typescript')

test.for(Object.entries(generators))('%s generates a client that compiles', async ([name, command], { skip }) => {
  skip(missing(name), 'not in the registry')
  await run(command(`${gateway.baseUrl}/openapi.json`))
  await compile(existsSync(inFolder(`${name}.ts`)) ? `${name}.ts` : `${name}/index.ts`)
})

test.for(Object.entries(callers))('a client of %s reads the local gateway', async ([name, program], { skip }) => {
  skip(missing(name), 'not in the registry')
  const file = `call-${name}.ts`
  await writeFile(inFolder(file), program)
  await compile(file)
  await build({ entryPoints: [inFolder(file)], outfile: inFolder(`call-${name}.mjs`), bundle: true, format: 'esm' })
  const { call } = await import(inFolder(`call-${name}.mjs`))
  expect(await call(gateway.baseUrl)).toEqual([236.78, 232.14, 1290.51, 1102.9, null, 430.17, 'Unknown symbol'])
})
