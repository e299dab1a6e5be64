import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService } from '../support/service.ts'

/**
 * By name: the version in npm's registry, a command that generates a client from the URL of the description, in the
 * file `NAME.ts` or the folder `NAME`, and a program that lists the testnet's prices and asks for an unknown symbol
 * with it.
 */
const generators = {
  'openapi-typescript': {
    version: '7.13.0',
    command: (url: string) => ['bin/cli.js', url, '--output', 'openapi-typescript.ts'],
    caller: undefined,
  },
  'hey-api': {
    version: 'npm:@hey-api/openapi-ts@0.99.0',
    command: (url: string) => ['bin/run.js', '--input', url, '--output', 'hey-api'],
    caller: `
      import { client } from './hey-api/client.gen'
      import { getPrice, listPrices } from './hey-api'
      export async function call(baseUrl: string) {
        client.setConfig({ baseUrl })
        const { data } = await listPrices({ query: { network: 'testnet' } })
        const { error } = await getPrice({ path: { symbol: 'NONE' } })
        const prices: (number | null)[] = data?.feeds.map(feed => ('problem' in feed ? null : feed.price)) ?? []
        return [...prices, error?.title]
      }`,
  },
}

/** The compiler for what they generate, and a validator of JSON Schema with its formats. */
const packages = { typescript: '5.9.3', ajv: '8.17.1', 'ajv-formats': '3.0.1' }
const modules = ['--module', 'esnext', '--moduleResolution', 'bundler']
const target = ['--target', 'es2023', '--lib', 'es2023,dom,dom.iterable']
const compilerOptions = ['--strict', '--noEmit', '--skipLibCheck', ...modules, ...target]

const folder = await mkdtemp(join(tmpdir(), 'price-lookup-clients-'))
const service = await startService()
const { baseUrl } = service

const inFolder = (file: string) => join(folder, file)
const isInstalled = (name: string) => existsSync(inFolder(`node_modules/${name}/package.json`))

/** Runs a program of an installed package, in the folder. */
async function run(name: string, [program, ...args]: readonly string[]): Promise<void> {
  const command = [inFolder(`node_modules/${name}/${program}`), ...args]
  await promisify(execFile)(process.execPath, command, { cwd: folder }).catch(({ message, stdout }) => {
    throw new Error(`${message}\n${stdout}`)
  })
}

// Installs what the registry has: npm leaves out an optional dependency that it cannot install.
beforeAll(async () => {
  const versions = Object.entries(generators).map(([name, { version }]) => [name, version])
  const optionalDependencies = { ...packages, ...Object.fromEntries(versions) }
  await writeFile(inFolder('package.json'), JSON.stringify({ type: 'module', optionalDependencies }))
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']
  await promisify(execFile)('npm', ['install', ...options], { cwd: folder })
})

afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

test.for(Object.entries(generators))(
  '%s generates a client that compiles and, where a program calls it, reads the local service',
  async ([name, { version, command, caller }], { skip }) => {
    const isMissing = !isInstalled(name) || !isInstalled('typescript')
    if (isMissing) process.stderr.write(`\n*** NOT RUN: the registry lacks ${name} ${version} or typescript ***\n\n`)
    skip(isMissing, 'not in the registry')
    await run(name, command(`${baseUrl}/openapi.json`))
    const file = `call-${name}.ts`
    await writeFile(inFolder(file), caller ?? `export * from './${name}'`)
    await run('typescript', ['bin/tsc', ...compilerOptions, file])
    if (caller === undefined) return
    await build({ entryPoints: [inFolder(file)], outfile: inFolder(`call-${name}.mjs`), bundle: true, format: 'esm' })
    const { call } = await import(inFolder(`call-${name}.mjs`))
    expect(await call(baseUrl)).toEqual(expect.arrayContaining([236.78, 1290.51, null, 'Unknown symbol']))
  },
)

test('Ajv in strict mode compiles the description with the formats that docs/api.md names, and accepts the responses', async ({
  skip,
}) => {
  const isMissing = !isInstalled('ajv') || !isInstalled('ajv-formats')
  if (isMissing) process.stderr.write('\n*** NOT RUN: the registry lacks ajv or ajv-formats ***\n\n')
  skip(isMissing, 'not in the registry')
  const { Ajv2020 } = await import(inFolder('node_modules/ajv/dist/2020.js'))
  const { default: addFormats } = (await import(inFolder('node_modules/ajv-formats/dist/index.js'))).default
  const [, addDecimal = ''] = /`(ajv\.addFormat\(.+?\))`/.exec(readFileSync('docs/api.md', 'utf8')) ?? []
  expect(addDecimal).toContain("'decimal'")
  const getText = async (path: string) => await (await fetch(baseUrl + path)).text()
  // A JSON Schema has its definitions at another place than a description.
  const description = (await getText('/openapi.json')).replaceAll('#/components/schemas/', '#/$defs/')
  const { schemas: $defs } = JSON.parse(description).components
  const create = (steps: readonly ((ajv: object) => void)[]) => {
    const ajv = new Ajv2020()
    for (const step of steps) step(ajv)
    ajv.addSchema({ $id: 'description', $defs })
    return (schema: string) => ajv.compile({ $ref: `description#/$defs/${schema}` })
  }
  const addDocumented = new Function('ajv', addDecimal)
  const compile = create([addFormats, ajv => addDocumented(ajv)])
  const responses = { PriceRecord: '/price/CRWD', PriceList: '/price', Problem: '/price/NONE' }
  for (const [schema, path] of Object.entries(responses))
    expect(compile(schema)(JSON.parse(await getText(path)))).toBe(true)
  expect(compile('PriceRecord')({ symbol: 'CRWD' })).toBe(false)
  // Each of the two is needed.
  expect(() => create([addFormats])('PriceRecord')).toThrow('unknown format "decimal"')
  expect(() => create([ajv => addDocumented(ajv)])('PriceRecord')).toThrow(/unknown format "(date-time|uri)"/)
})
