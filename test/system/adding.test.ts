import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { getAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import registry from '../../lambda/feeds/registry.json' with { type: 'json' }
import { createCommands } from '../support/local/command.ts'
import { copyRepository } from '../support/local/copy-repository.ts'

/** The folder of a copy of the repository, changed by the steps of "How to add …" in CONTRIBUTING.md. */
const { folder: copy, ...copied } = await copyRepository()
const commands = createCommands()

afterAll(async () => {
  await commands.stop()
  await copied[Symbol.asyncDispose]()
})

beforeAll(async () => {
  await change('api/networks.ts', text => text.replace('} as const satisfies', `${network}} as const satisfies`))
  await change('lambda/feeds/registry.json', text => JSON.stringify(addFeeds(JSON.parse(text))))
  // Another environment with the settings of `dev`.
  await change('infra/environments.ts', text => text.replace(/ {2}dev(: \{.*?\n {2}\},\n)/s, '$&  qa$1'))
})

const network = `devnet: {
  chain: { ...robinhoodTestnet, id: 4_242, name: 'Robinhood Chain Devnet' },
  rpcUrl: 'https://rpc.devnet.example',
  maxHeadAgeSeconds: 30,
},
`

/** Adds feeds before, between and after the others, also of symbols of the other network, and the feeds of a new network. */
function addFeeds({ mainnet, testnet }: typeof registry) {
  const symbols = ['AA', 'MSFT', 'AMD', 'TSLA', 'ZZZZ', 'AAPL', 'CRWD']
  const [aa, msft, amd, tsla, zzzz, ...ofMainnet] = symbols.map((symbol, index) => ({
    symbol,
    name: `Added ${index}`,
    address: getAddress(`0x${'a'.repeat(39)}${index}`),
    token: getAddress(`0x${'b'.repeat(39)}${index}`),
    maxAgeSeconds: 86_400,
  }))
  return {
    mainnet: [aa, ...mainnet.slice(0, 9), amd, msft, ...mainnet.slice(9), tsla, zzzz],
    testnet: [...ofMainnet, ...testnet],
    devnet: testnet.filter(({ symbol }) => symbol === 'AMD' || symbol === 'AMZN'),
  }
}

async function change(file: string, toText: (text: string) => string, folder = copy): Promise<void> {
  const path = join(folder, file)
  const text = await readFile(path, 'utf8')
  const changed = toText(text)
  if (changed === text) throw new Error(`${file} is not changed.`)
  await writeFile(path, changed)
}

/** Runs a program of the copy, without the variables of the Vitest that runs this test, and with the usual random runs. */
const run = (...args: readonly string[]) => runIn(copy, ...args)

async function runIn(folder: string, ...args: readonly string[]) {
  const kept = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV|TEST$|FUZZ_)/.test(name))
  return await promisify(execFile)(process.execPath, args, { cwd: folder, env: Object.fromEntries(kept) })
}

/** Runs `npm start` in a copy, until the end of the tests. */
async function startService(folder: string) {
  const args = ['local/start.ts', '--port', '0']
  const printed = await commands.start(process.execPath, args, { cwd: folder }).until('Ctrl-C stops it.')
  const [baseUrl = ''] = /http:\S+\/v1(?=\/)/.exec(printed) ?? []
  return { baseUrl, printed }
}

test.concurrent.each(['.', 'pages'])('the project %s compiles', async project => {
  await run('node_modules/typescript/bin/tsc', '--project', project)
})

test.concurrent('npm test passes as soon as api/openapi.json is written', async () => {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--configLoader', 'native', '--project', 'modules']
  await run(...vitest, 'test/api', '--update')
  await run(...vitest)
}, 1_800_000)

test.concurrent('npm start serves the network on a chain of its own', async () => {
  const { baseUrl, printed } = await startService(copy)
  const get = async (path: string) => (await fetch(baseUrl + path)).json()
  expect(printed).toContain('Robinhood Chain Devnet (4242), block ')
  expect(await get('/price?network=devnet')).toMatchObject({
    network: 'Robinhood Chain Devnet',
    chainId: 4_242,
    feeds: [{ symbol: 'AMD', url: `${baseUrl}/price/AMD?network=devnet` }, { symbol: 'AMZN' }],
  })
  expect(await get('/price/AMZN')).toMatchObject({
    detail:
      'This service has no feed of that symbol on the mainnet. GET /price lists its feeds.' +
      ' This service has one on the testnet: GET /price/AMZN?network=testnet reads it.' +
      ' This service has one on the devnet: GET /price/AMZN?network=devnet reads it.',
  })
  expect(await get('/price?network=x')).toMatchObject({
    detail: 'The query parameter "network" takes "mainnet", which is the default, or "testnet", or "devnet".',
  })
  expect(await get('/openapi.json')).toMatchObject({
    components: { schemas: { PriceRecord: { properties: { chainId: { enum: [4_663, 46_630, 4_242] } } } } },
  })
  expect(await (await fetch(baseUrl)).text()).toContain('devnet')
  expect((await run('smoke/smoke.ts', baseUrl)).stdout).toMatch(/^ {2}passed +devnet: feeds answer at their URLs /m)
})

const again = '/feeds/{symbol}/again'
const route = `  {
    path: '${again}',
    operationId: 'getAgain',
    summary: 'The same',
    description: 'The same.',
    handler: 'get-again',
    parameters: ['symbol', 'network'],
    body: 'PriceRecord',
  },
`

test.concurrent('a third route needs its row and its handler alone', async () => {
  await using another = await copyRepository()
  const { folder } = another
  const addRoute = (text: string) => text.replace(/'get-price'$/m, "$& | 'get-again'").replace(/^\]$/m, `${route}]`)
  await change('api/routes.ts', addRoute, folder)
  const handler = await readFile(join(folder, 'lambda/handlers/get-price.ts'), 'utf8')
  const toAgain = handler.replaceAll('/price/{symbol}', again)
  await writeFile(join(folder, 'lambda/handlers/get-again.ts'), toAgain)

  const synth = ['synth', '--quiet', '-c', 'environment=staging', '--output', 'synthesised']
  await runIn(folder, 'node_modules/aws-cdk/bin/cdk', ...synth)
  const template = await readFile(join(folder, 'synthesised/price-lookup-staging.template.json'), 'utf8')
  const resources: {
    readonly Properties?: { readonly Environment?: { readonly Variables: Record<string, unknown> } }
  }[] = Object.values(JSON.parse(template).Resources)
  const [versions] = resources.flatMap(({ Properties }) => Properties?.Environment?.Variables['VERSIONS'] ?? [])
  expect(JSON.stringify(versions).match(/\/[^\\"]+/g)).toEqual(['/price', '/price/{symbol}', again])
  expect(JSON.stringify(versions)).toMatch(/"Ref":"GetAgainCurrentVersion/)

  const { baseUrl } = await startService(folder)
  const response = await fetch(`${baseUrl}/feeds/AMD/again?network=testnet`)
  expect([response.status, response.headers.get('link')]).toEqual([
    200,
    `<${baseUrl}/openapi.json>; rel="service-desc", <${baseUrl}/docs>; rel="service-doc"`,
  ])
})

test.concurrent('npm start has an option and a variable for the RPC URLs of the network', async () => {
  const { stdout } = await run('local/start.ts', '--help')
  expect(stdout).toMatch(/^ {2}--rpc-devnet URL +read the devnet at this RPC URL,/m)
  expect(stdout).toMatch(/^ {2}RPC_URLS_DEVNET +read the devnet at these RPC URLs,/m)
})

test.each([
  ['the synthesis', 'infra/app.ts'],
  ['npm start', 'local/start.ts'],
])('an error of the registry ends %s with a sentence, before anything is built from it', async (_, program) => {
  await using another = await copyRepository()
  const toErrors = (text: string) => text.replace('"AAPL"', '"AMC"').replace('0x0c098235d', '0x0C098235d')
  await change('lambda/feeds/registry.json', toErrors, another.folder)
  const failed = await runIn(another.folder, program).catch((error: unknown) => error)
  expect(failed).toMatchObject({
    code: 1,
    stderr: [
      'lambda/feeds/registry.json has errors.',
      '  mainnet AMC address: 0x0C098235d4069Ad82c9EcaeF8264835C5A0dBc7D is not an address with its checksum (ERC-55).',
      '  mainnet AMC symbol: AMC is already the symbol of AMC.',
      '',
    ].join('\n'),
  })
})
