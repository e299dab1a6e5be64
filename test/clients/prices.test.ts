import { execFile } from 'node:child_process'
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
