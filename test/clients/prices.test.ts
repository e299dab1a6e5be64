import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { buildReference } from '../../infra/api/page.ts'
import registry from '../../lambda/feeds/registry.json' with { type: 'json' }
import { ofEachNetwork } from '../../lambda/networks.ts'
import { misbehave } from '../../local/chains/stand-in-feed.ts'
import { type Gateway, startGateway } from '../../local/gateway/gateway.ts'
import { type Sandbox, startSandbox } from '../../local/sandbox.ts'
import { type Answer, expectDocumented } from '../contract/documented.ts'
import { type AlteringProxy, startAlteringProxy } from '../smoke/altering-proxy.ts'

let sandbox: Sandbox
let gateway: Gateway
// In front of the gateway, to record what the client receives.
let proxy: AlteringProxy
const answers: Answer[] = []

beforeAll(async () => {
  if (spawnSync('python3', ['--version']).status !== 0) {
    throw new Error('python3 is missing. Install Python 3.8 or later, as in apt-get install python3.')
  }
  sandbox = await startSandbox(ofEachNetwork(() => 'embedded'))
  gateway = await startGateway({ ...sandbox, host: '127.0.0.1', port: 0 })
  proxy = await startAlteringProxy(gateway.baseUrl, (answer, asked) => {
    answers.push({ ...answer, ...asked })
    return answer
  })
}, 60_000)

afterEach(() => {
  for (const answer of answers.splice(0)) expectDocumented(answer)
})

afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]()
  await gateway?.stop()
  await sandbox?.[Symbol.asyncDispose]()
})

/** Runs the example client as an integrator would. */
function run(...network: string[]) {
  return runAt(proxy.baseUrl, ...network)
}

function runAt(...args: string[]) {
  return execute('python3', 'docs/examples/prices.py', ...args)
}

/** Runs the example in JavaScript. */
function runNode(...args: string[]) {
  return execute(process.execPath, 'docs/examples/price.mjs', ...args)
}

function execute(command: string, ...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise(resolve => {
    const child = execFile(command, args, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

test('the Python client prints every price of the mainnet, with every digit (D3, D17)', async () => {
  const { stdout, ...rest } = await run()
  expect(rest).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatchInlineSnapshot(`
    "AAPL      OK                    271.84930217  served
    AMC       Stale                         2.87  FeedUnavailable
    AVGO      OK                    353.08556516  served
    BA        Oracle paused               214.08  FeedUnavailable
    CCL       OK                         28.7325  served
    COST      OK                     931.9010914  served
    CRWD      Market closed               1079.9  served
    F         OK                      13.0630642  served
    GLD       Market closed               385.17  FeedUnavailable
    HIMS      OK                         48.0234  served
    IBM       OK                     303.1926059  served
    JNJ       Corporate action            189.34  FeedUnavailable
    LLY       OK                    883.25608146  served
    LMT       OK                    483.22961027  served
    NFLX      Straddle                    1102.9  FeedUnavailable
    PFE       OK                     25.46674217  served
    RBLX      OK                          121.48  served
    RDDT      OK                          203.77  served
    RIVN      OK                           14.06  served
    SHOP      OK                         158.905  served
    SNAP      No data                          -  FeedUnavailable
    "
  `)
})

test('it prints the testnet, with a feed that cannot be read (D5, D18)', async () => {
  const tsla = registry.testnet.find(({ symbol }) => symbol === 'TSLA')
  const rpcUrl = sandbox.chains.testnet?.rpcUrl ?? ''
  await misbehave(rpcUrl, tsla?.address as `0x${string}`, 'latestDetail()', { revert: '0x' })
  const { stdout, ...rest } = await run('testnet')
  expect(rest).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatchInlineSnapshot(`
    "AMD       OK                          236.78  served
    AMZN      Oracle paused               232.14  FeedUnavailable
    labTSLA   Straddle                   1290.51  FeedUnavailable
    NFLX      Stale                       1102.9  FeedUnavailable
    PLTR      No data                          -  FeedUnavailable
    TSLA      Feed unreadable                  -  -
    "
  `)
})

test('it prints a problem to stderr and fails (D6, D19)', async () => {
  expect(await run('moon & stars')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Unknown network: The query parameter "network" takes "mainnet", which is the default, or "testnet".\n',
  })
})

test('it accepts a base URL with a trailing slash', async () => {
  expect((await runAt(`${proxy.baseUrl}/`, 'testnet')).stdout).toBe((await run('testnet')).stdout)
})

test.each([[], ['https://prices.example/v1', 'testnet', 'more']])('its usage is printed for %j', async (...args) => {
  expect(await runAt(...args)).toEqual({
    code: 2,
    stdout: '',
    stderr: 'Prints the status and price of every feed: python3 prices.py https://…/v1 [testnet]\n',
  })
})

test('it prints one line when nothing answers', async () => {
  const { code, stdout, stderr } = await runAt('http://127.0.0.1:1/v1')
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^No answer: .*refused\n$/)
})

test.each([
  [502, 'HTTP Error 502: Bad Gateway'],
  [200, 'Expecting value: line 1 column 1 (char 0)'],
])('it prints one line for an answer that is not ours: a page with %i', async (status, reason) => {
  const server = createServer((_, response) => {
    response.writeHead(status, { 'Content-Type': 'text/html' }).end('<html><h1>A proxy</h1></html>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const answer = await runAt(`http://127.0.0.1:${port}/v1`)
  server.close()
  expect(answer).toEqual({ code: 1, stdout: '', stderr: `No answer: ${reason}\n` })
})

test('the Python request of the reference prints every digit of a multiplier (D3)', async () => {
  const [, code = ''] = /<pre tabindex="0">(import json.*?)<\/pre>/s.exec(buildReference().html) ?? []
  const program = code.replaceAll(/<.*?>/g, '').replace('https://prices.example/v1', proxy.baseUrl)
  const { stdout } = await promisify(execFile)('python3', ['-c', program])
  expect(stdout).toContain("'multiplier': Decimal('1.000566080061092436')")
})

test('the JavaScript client prints one price with every digit (D3)', async () => {
  expect(await runNode(proxy.baseUrl, 'aapl')).toEqual({
    code: 0,
    stdout: 'price 271.84930217\nsharePrice 271.69550076\nmultiplier 1.000566080061092436\nOK, served\n',
    stderr: '',
  })
  expect((await runNode(`${proxy.baseUrl}/`, 'PLTR', 'testnet')).stdout).toBe(
    'price -\nsharePrice -\nmultiplier -\nNo data, not served\n',
  )
})

test('it prints the detail of a problem, its usage, or why there is no answer, and fails', async () => {
  const failure = async (...args: string[]) => {
    const { code, stdout, stderr } = await runNode(...args)
    return [code, stdout + stderr]
  }
  const unknown = 'Unknown symbol: The mainnet has no feed of that symbol. GET /price lists its feeds.\n'
  expect(await failure(proxy.baseUrl, 'NOPE')).toEqual([1, unknown])
  expect(await failure(proxy.baseUrl)).toEqual([2, 'node price.mjs https://…/v1 CRWD [testnet]\n'])
  expect(await failure('http://127.0.0.1:1/v1', 'CRWD')).toEqual([1, 'No answer: bad port\n'])
})

test('the commands of the skill print what it states of them (D3)', async () => {
  const skill = readFileSync('docs/skill/SKILL.md', 'utf8')
  const commands = Array.from(skill.matchAll(/^curl .*$/gm), ([command]) => command)
  const printed = commands.map(command => execute('sh', '-c', `BASE=${proxy.baseUrl}; ${command}`))
  const [mainnet, testnet, multiplier, ...others] = (await Promise.all(printed)).map(({ stdout }) => stdout)
  expect(JSON.parse(mainnet ?? '')).toMatchObject({ symbol: 'CRWD', status: 'Market closed', multiplier: 4 })
  expect(JSON.parse(testnet ?? '')).toMatchObject({ symbol: 'AMD', chainId: 46630 })
  expect([multiplier, ...others]).toEqual(['1.000566080061092436\n'])
  expect(skill.split('\n').length).toBeLessThan(35)
  for (const field of skill.match(/`(price|sharePrice|multiplier|servesLatestRoundData|status|ageSeconds)`/g) ?? [])
    expect(mainnet).toContain(`"${field.slice(1, -1)}":`)
})
