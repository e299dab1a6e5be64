import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../smoke/client.ts'
import { runProbe } from '../smoke/probe.ts'
import { copyRepository } from './local/copy-repository.ts'

// A copy of the repository with another network: one row of the table, and its feeds. Nothing else is changed.
const row = `devnet: {
  chain: { ...robinhoodTestnet, id: 4_242, name: 'Robinhood Chain Devnet' },
  rpcUrl: 'https://rpc.devnet.example',
  maxHeadAgeSeconds: 30,
},
} as const satisfies`

let folder: string
let baseUrl: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'price-lookup-third-'))
  await copyRepository(join(folder, 'copy'))
  await change('lambda/networks.ts', text => text.replace('} as const satisfies', row))
  await change('lambda/feeds/registry.json', text => {
    const registry = JSON.parse(text)
    return JSON.stringify({ ...registry, devnet: registry.testnet.slice(0, 2) })
  })
}, 60_000)

afterAll(async () => {
  await rm(folder, { recursive: true })
})

async function change(file: string, toText: (text: string) => string): Promise<void> {
  const path = join(folder, 'copy', file)
  await writeFile(path, toText(await readFile(path, 'utf8')))
}

const get = async (path: string) => (await fetch(baseUrl + path)).json()

test('no code names the networks: with a third one, everything compiles', async () => {
  await change('tsconfig.json', text =>
    text.replace(/"include": .*/, '"include": ["lambda", "infra", "local", "smoke", "bench"]'),
  )
  for (const project of ['.', 'board']) {
    await promisify(execFile)(process.execPath, ['node_modules/typescript/bin/tsc', '--project', project], {
      cwd: join(folder, 'copy'),
    })
  }
}, 120_000)

test('npm start serves a third network on a chain of its own, through the edge too', async () => {
  const child = spawn(process.execPath, ['local/start.ts', '--port', '0', '--edge'], {
    cwd: join(folder, 'copy'),
    stdio: 'pipe',
  })
  const ended = once(child, 'close')
  try {
    let printed = ''
    for await (const text of child.stdout.setEncoding('utf8')) {
      printed += text
      if (printed.includes('Ctrl-C')) break
    }
    ;[baseUrl = ''] = /http:\S+\/v1(?=\/)/.exec(printed) ?? []
    expect(printed).toContain('Robinhood Chain Devnet (4242), block ')
    expect(await get('/price?network=devnet')).toMatchObject({
      network: 'Robinhood Chain Devnet',
      chainId: 4_242,
      feeds: [{ symbol: 'AMD', url: `${baseUrl}/price/AMD?network=devnet` }, { symbol: 'AMZN' }],
    })
    expect(await get('/price/AMD')).toMatchObject({
      detail:
        'The mainnet has no feed of that symbol. GET /price lists its feeds.' +
        ' The testnet has one: GET /price/AMD?network=testnet reads it.' +
        ' The devnet has one: GET /price/AMD?network=devnet reads it.',
    })
    expect(await get('/price?network=x')).toMatchObject({
      detail: 'The query parameter "network" takes "mainnet", which is the default, or "testnet", or "devnet".',
    })
    expect(await get('/openapi.json')).toMatchObject({
      components: { schemas: { ChainId: { enum: [4_663, 46_630, 4_242] } } },
    })
    expect(await (await fetch(baseUrl)).text()).toContain('devnet')
    const checks = await runProbe(createClient(baseUrl))
    expect(checks.filter(({ outcome }) => outcome === 'failed')).toEqual([])
    expect(checks.map(({ name }) => name)).toContain('devnet: numbers are exact')
  } finally {
    child.kill('SIGINT')
    await ended
  }
}, 120_000)

test('npm start has an option and a variable for the RPC URLs of a third network', async () => {
  const args = ['local/start.ts', '--help']
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: join(folder, 'copy') })
  expect(stdout).toMatch(/^ {2}--rpc-devnet URL +read the devnet at this RPC URL,/m)
  expect(stdout).toMatch(/^ {2}RPC_URLS_DEVNET +read the devnet at these RPC URLs,/m)
})

test('a fault of the registry ends the synthesis with a sentence, before anything is built from it', async () => {
  await change('lambda/feeds/registry.json', text =>
    text.replace('"AAPL"', '"AMC"').replace('0x0c098235d', '0x0C098235d'),
  )
  const [exitCode, printed] = await new Promise<[unknown, string]>(resolve => {
    execFile(process.execPath, ['infra/app.ts'], { cwd: join(folder, 'copy') }, (error, _, complained) =>
      resolve([error?.code, complained]),
    )
  })
  expect([exitCode, printed.trimEnd().split('\n')]).toEqual([
    1,
    [
      'lambda/feeds/registry.json has faults.',
      '  AMC of the mainnet: 0x0C098235d4069Ad82c9EcaeF8264835C5A0dBc7D is not checksummed. Either it is wrong, or it is 0x0c098235d4069Ad82c9EcaeF8264835C5A0dBc7D.',
      '  The mainnet has AMC twice.',
    ],
  ])
}, 60_000)
