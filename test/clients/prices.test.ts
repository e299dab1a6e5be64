import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildReference } from '../../infra/api/page.ts'
import { ofEachNetwork } from '../../lambda/networks.ts'
import { type Gateway, startGateway } from '../../local/gateway/gateway.ts'
import { type Sandbox, startSandbox } from '../../local/sandbox.ts'

let sandbox: Sandbox
let gateway: Gateway

beforeAll(async () => {
  sandbox = await startSandbox(ofEachNetwork(() => 'embedded'))
  gateway = await startGateway({ ...sandbox, host: '127.0.0.1', port: 0 })
}, 60_000)

afterAll(async () => {
  await gateway?.stop()
  await sandbox?.[Symbol.asyncDispose]()
})

const run = (...args: string[]) => promisify(execFile)('python3', ['docs/examples/prices.py', ...args])

test('the Python client prints every digit, each network, and feeds that serve or have no price (D3, D5, D13)', async () => {
  const [mainnet, testnet] = [await run(gateway.baseUrl), await run(`${gateway.baseUrl}/`, 'testnet')]
  expect(mainnet.stdout).toContain('AAPL      OK                    271.84930217  served\n')
  expect(mainnet.stdout).toContain('SNAP      No data                          -  FeedUnavailable\n')
  expect(testnet.stdout).toContain('labTSLA   Straddle                   1290.51  FeedUnavailable\n')
})

test('it prints one line and fails for a problem, and when nothing answers (D6, D19)', async () => {
  const stderr = expect.stringMatching(/^Unknown network: The query parameter "network" takes .+\n$/)
  await expect(run(gateway.baseUrl, 'moon & stars')).rejects.toMatchObject({ code: 1, stdout: '', stderr })
  const refused = expect.stringMatching(/^No answer: .*refused\n$/)
  await expect(run('http://127.0.0.1:1/v1')).rejects.toMatchObject({ code: 1, stdout: '', stderr: refused })
})

test('the Python request of the reference prints every digit of a multiplier, and the detail of a problem (D3)', async () => {
  const codes = buildReference().html.matchAll(/<pre tabindex="0">(# Python.*?)<\/pre>/gs)
  const [list = '', record = ''] = Array.from(codes, ([, code = '']) => code.replaceAll(/<.*?>/g, ''))
  const run = (code: string) =>
    promisify(execFile)('python3', ['-c', code.replace('https://prices.example/v1', gateway.baseUrl)])
  expect((await run(list)).stdout).toContain("'multiplier': Decimal('1.000566080061092436')")
  await expect(run(record.replace('CRWD', 'NOPE'))).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^The mainnet has no feed/),
  })
})

test('the usage of the Python client is printed when it has too few or too many arguments', async () => {
  const stderr = 'Prints the status and price of every feed: python3 prices.py https://…/v1 [testnet]\n'
  for (const args of [[], [gateway.baseUrl, 'testnet', 'more']]) {
    await expect(run(...args)).rejects.toMatchObject({ code: 2, stdout: '', stderr })
  }
})

/** Runs the example in JavaScript. */
const runNode = (...args: string[]) => promisify(execFile)(process.execPath, ['docs/examples/price.mjs', ...args])

test('the JavaScript client prints one price with every digit (D3)', async () => {
  expect(await runNode(gateway.baseUrl, 'aapl')).toEqual({
    stdout: 'price 271.84930217\nsharePrice 271.69550076\nmultiplier 1.000566080061092436\nOK, served\n',
    stderr: '',
  })
  expect((await runNode(`${gateway.baseUrl}/`, 'PLTR', 'testnet')).stdout).toBe(
    'price -\nsharePrice -\nmultiplier -\nNo data, not served\n',
  )
})

test('it prints the detail of a problem, its usage, or why there is no answer, and fails', async () => {
  const unknown = 'Unknown symbol: The mainnet has no feed of that symbol. GET /price lists its feeds.\n'
  await expect(runNode(gateway.baseUrl, 'NOPE')).rejects.toMatchObject({ code: 1, stdout: '', stderr: unknown })
  const usage = 'node price.mjs https://…/v1 CRWD [testnet]\n'
  await expect(runNode(gateway.baseUrl)).rejects.toMatchObject({ code: 2, stdout: '', stderr: usage })
  const refused = 'No answer: bad port\n'
  await expect(runNode('http://127.0.0.1:1/v1', 'CRWD')).rejects.toMatchObject({ code: 1, stdout: '', stderr: refused })
})

test('the commands of the skill print what it states of them (D3)', async () => {
  const skill = readFileSync('docs/skill/SKILL.md', 'utf8')
  const commands = Array.from(skill.matchAll(/^curl .*$/gm), ([command]) => command)
  const printed = commands.map(command => promisify(execFile)('sh', ['-c', `BASE=${gateway.baseUrl}; ${command}`]))
  const [mainnet, testnet, multiplier, ...others] = (await Promise.all(printed)).map(({ stdout }) => stdout)
  expect(JSON.parse(mainnet ?? '')).toMatchObject({ symbol: 'CRWD', status: 'Market closed', multiplier: 4 })
  expect(JSON.parse(testnet ?? '')).toMatchObject({ symbol: 'AMD', chainId: 46630 })
  expect([multiplier, ...others]).toEqual(['1.000566080061092436\n'])
  expect(skill.split('\n').length).toBeLessThan(35)
  for (const field of skill.match(/`(price|sharePrice|multiplier|servesLatestRoundData|status|ageSeconds)`/g) ?? [])
    expect(mainnet).toContain(`"${field.slice(1, -1)}":`)
})
