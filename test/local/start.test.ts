import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseOptions } from '../../local/command-line.ts'
import { StartFailure } from '../../local/start-failure.ts'
import { expectDocumented } from '../contract/documented.ts'

// The processes and files of a command have this folder in their command line or path.
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'price-lookup-test-'))
})
afterEach(async () => {
  for (const { child, ended } of started.splice(0)) {
    child.kill('SIGKILL')
    await ended
  }
  await nothingRuns()
  rmSync(folder, { recursive: true })
})

const started: { child: ChildProcess; ended: Promise<unknown> }[] = []

function start(script: string, ...args: string[]) {
  const child = spawn(process.execPath, [script, ...args], { env: { ...process.env, TMPDIR: folder } })
  let printed = ''
  let complained = ''
  child.stdout.on('data', part => {
    printed += part
  })
  child.stderr.on('data', part => {
    complained += part
  })
  const ended = once(child, 'close').then(([code]) => ({ code, printed, complained }))
  const until = async (text: string) => {
    while (!printed.includes(text)) {
      if (child.exitCode !== null) throw new Error(`The command ended: ${printed}${complained}`)
      await sleep(50)
    }
    return printed
  }
  started.push({ child, ended })
  return { child, ended, until }
}

/** The command lines of the nodes and their watchers. */
const running = () =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter(line => line.includes(folder))

/** Requests a path, checks the response against openapi.yaml, and returns its body. */
async function ask(baseUrl: string, path: string): Promise<string> {
  const response = await fetch(baseUrl + path)
  const { status, headers } = response
  const text = await response.text()
  expectDocumented({ method: 'GET', path, status, headers, text })
  return text
}

const nothingRuns = async () => {
  while (running().length > 0) await sleep(50)
}

test('npm start prints both networks and marks their prices as invented, serves, and leaves nothing after Ctrl-C (D28)', async () => {
  const { child, ended, until } = start('local/start.ts', '--port', '0')
  const printed = await until('Ctrl-C stops it.')
  const [baseUrl = ''] = /http:\/\/127\.0\.0\.1:\d+\/v1/.exec(printed) ?? []
  expect(printed).toContain(`Open ${baseUrl}/ in a browser; the API reference is at ${baseUrl}/docs\n`)
  expect(printed).toMatch(/^Robinhood Chain \(4663\), block \d+: a local chain with invented prices$/m)
  expect(printed).toMatch(/^Robinhood Chain Testnet \(46630\), block \d+: a local chain with invented prices$/m)
  expect(await ask(baseUrl, '/')).toContain('<title>Price Lookup</title>')
  expect(printed).toMatch(/^ {2}CRWD +Market closed +1079\.9 +yes +http:\S+\/price\/CRWD$/m)
  expect(printed).toMatch(/^ {2}SNAP +No data +- +FeedUnavailable +http:\S+\/price\/SNAP$/m)
  expect(printed).toMatch(
    /^ {2}labTSLA +Straddle +1290\.51 +FeedUnavailable +http:\S+\/price\/labTSLA\?network=testnet$/m,
  )
  expect(JSON.parse(await ask(baseUrl, '/price/crwd'))).toMatchObject({ symbol: 'CRWD', price: 1079.9 })
  expect(running().length).toBeGreaterThan(0)
  child.kill('SIGINT')
  expect(await ended).toMatchObject({ code: 0, complained: '' })
  expect(running()).toEqual([])
  expect(readdirSync(folder).filter(name => name.startsWith('price-lookup'))).toEqual([])
}, 60_000)

test('a killed npm start leaves no process', async () => {
  const { child, ended, until } = start('local/start.ts', '--port', '0')
  await until('Ctrl-C stops it.')
  child.kill('SIGKILL')
  await ended
  await nothingRuns()
}, 60_000)

test('Ctrl-C during the start ends it', async () => {
  const { child, ended, until } = start('local/start.ts', '--port', '0')
  await until('Bundling')
  child.kill('SIGINT')
  expect(await ended).toMatchObject({ code: 0, complained: '' })
  expect(running()).toEqual([])
}, 60_000)

test('an unreachable network is a problem in its table, not a failed start', async () => {
  const { child, ended, until } = start('local/start.ts', '--port', '0', '--rpc-mainnet', 'http://127.0.0.1:9')
  const printed = await until('Ctrl-C stops it.')
  expect(printed).toMatch(/GET http:\S+\/v1\/price\n503 Chain unavailable: /)
  expect(printed).toMatch(/^Robinhood Chain Testnet \(46630\), block \d+: a local chain with invented prices$/m)
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0 })
}, 60_000)

test('a port in use is one line', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  expect(await start('local/start.ts', '--port', String(port)).ended).toEqual({
    code: 1,
    printed: '',
    complained: `Port ${port} of 127.0.0.1 is in use. Choose another with --port, or any free one with --port 0.\n`,
  })
  server.close()
})

test.each([
  [['--prot', '1'], "Unknown option '--prot'. --help lists the options."],
  [['--port'], "Option '--port <value>' argument missing. --help lists the options."],
  [['--port', 'x'], '--port must be a number from 0 (any free port) to 65535, not x.'],
  [['--port', '65536'], '--port must be a number from 0 (any free port) to 65535, not 65536.'],
  [['--rpc-mainnet', 'nowhere'], 'An RPC URL must be https, or http with a loopback host, and have no user name.'],
  [
    ['--rpc-mainnet', 'http://a.test'],
    'An RPC URL must be https, or http with a loopback host, and have no user name.',
  ],
  [
    ['--rpc-testnet', 'https://u@a.test'],
    'An RPC URL must be https, or http with a loopback host, and have no user name.',
  ],
  [['--rpc-mainnet', ' , '], 'A network needs one to three RPC URLs.'],
])('%j is rejected with its reason', (args, message) => {
  expect(() => parseOptions(args)).toThrow(new StartFailure(message))
})

test('the options choose the address and the source of each network', () => {
  const args = [
    '--host',
    '::1',
    '--port',
    '0',
    '--edge',
    '--live',
    '--rpc-testnet',
    'https://a.test/key,http://[::1]:8545',
    'rest',
  ]
  expect(parseOptions(args)).toEqual({
    help: false,
    host: '::1',
    port: 0,
    edge: true,
    sources: { mainnet: 'deployed', testnet: { rpcUrls: 'https://a.test/key http://[::1]:8545' } },
    rest: ['rest'],
  })
})

test.each([
  [['--port', 'x'], '--port must be a number from 0 (any free port) to 65535, not x.\n'],
  [
    ['--host', '192.0.2.1', '--port', '0'],
    'This machine does not have the address 192.0.2.1. Choose another with --host.\n',
  ],
  [['now'], 'Unknown argument now. --help lists the options.\n'],
])('npm start %j is one line', async (args, complained) => {
  expect(await start('local/start.ts', ...args).ended).toEqual({ code: 1, printed: '', complained })
})

test('--help lists every option', async () => {
  const { code, printed } = await start('local/start.ts', '--help').ended
  expect(code).toBe(0)
  for (const option of ['--port', '--host', '--live', '--rpc-mainnet', '--rpc-testnet'])
    expect(printed).toContain(option)
})

test('npm run invoke prints the response of one function', async () => {
  const { code, printed } = await start('local/invoke.ts', 'local/events/get-price-crwd.json').ended
  expect(code).toBe(0)
  const { statusCode, headers, body } = JSON.parse(printed)
  expect(statusCode).toBe(200)
  expect(headers).toMatchObject({ 'Access-Control-Allow-Origin': '*' })
  expect(JSON.parse(body)).toMatchObject({ symbol: 'CRWD', price: 1079.9 })
  expect(running()).toEqual([])
}, 60_000)

test.each([
  [[], 'Name one event, such as local/events/get-price-crwd.json.\n'],
  [['nowhere.json'], 'nowhere.json is not a file with an event, which is a JSON object.\n'],
  [
    ['cdk.json'],
    'No function has the event\'s "httpMethod" and "resource". Known: GET /price, HEAD /price, GET /price/{symbol}, HEAD /price/{symbol}.\n',
  ],
])(
  'npm run invoke %j is one line',
  async (args, complained) => {
    expect(await start('local/invoke.ts', ...args).ended).toEqual({ code: 1, printed: '', complained })
  },
  60_000,
)
