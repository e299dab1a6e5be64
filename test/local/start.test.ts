import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ofEachNetwork } from '../../lambda/networks.ts'
import { parseOptions } from '../../local/command-line.ts'
import { StartFailure } from '../../local/run-command.ts'
import repository from '../../package.json' with { type: 'json' }
import { expectDocumented } from '../support/contract/documented.ts'
import { type Commands, createCommands } from '../support/local/command.ts'

let commands: Commands
beforeEach(() => {
  commands = createCommands()
})
afterEach(() => commands.stop())

const start = (script: string, ...args: string[]) => commands.start(process.execPath, [script, ...args])

/** Requests a path, checks the response against openapi.yaml, and returns its body. */
async function ask(baseUrl: string, path: string): Promise<string> {
  const response = await fetch(baseUrl + path)
  const { status, headers } = response
  const text = await response.text()
  expectDocumented({ method: 'GET', path, status, headers, text })
  return text
}

/** Expects that nothing is left of a command: no process that it had, and no file. */
async function expectNothingLeft(pids: readonly number[]): Promise<void> {
  await expect.poll(() => pids.filter(pid => commands.family(pid).length > 0), { timeout: 20_000 }).toEqual([])
  await expect.poll(commands.running, { timeout: 20_000 }).toEqual([])
  expect(commands.files()).toEqual([])
}

test('npm start prints both networks and marks their prices as invented, serves, and leaves nothing after Ctrl-C (D28)', async () => {
  const { child, ended, until } = commands.start('npm', ['start', '--', '--port', '0'], { detached: true })
  const printed = await until('Ctrl-C stops it.')
  const [baseUrl = ''] = /http:\/\/127\.0\.0\.1:\d+\/v1/.exec(printed) ?? []
  expect(printed).toContain(`Open ${baseUrl}/ in a browser; the API reference is at ${baseUrl}/docs\n`)
  expect(printed).toMatch(/^Robinhood Chain \(4663\), block \d+: a local chain with invented prices$/m)
  expect(printed).toMatch(/^Robinhood Chain Testnet \(46630\), block \d+: a local chain with invented prices$/m)
  expect(await ask(baseUrl, '/')).toContain('<title>Price Lookup</title>')
  expect(printed).toContain(`  curl ${baseUrl}/price/CRWD\n`)
  expect(printed).not.toMatch(/^GET /m)
  expect(printed).toMatch(/^ {2}CRWD +Market closed +1079\.9 +yes +http:\S+\/price\/CRWD$/m)
  expect(printed).toMatch(/^ {2}SNAP +No data +- +FeedUnavailable +http:\S+\/price\/SNAP$/m)
  expect(printed).toMatch(
    /^ {2}labTSLA +Straddle +1290\.51 +FeedUnavailable +http:\S+\/price\/labTSLA\?network=testnet$/m,
  )
  expect(JSON.parse(await ask(baseUrl, '/price/crwd'))).toMatchObject({ symbol: 'CRWD', price: 1079.9 })
  const pids = commands.family(child.pid)
  // npm, node, and two nodes with their watchers.
  expect(pids.length).toBeGreaterThan(3)
  // The terminal sends it to npm and to node.
  process.kill(-(child.pid ?? 0), 'SIGINT')
  expect(await ended).toMatchObject({ code: 0, complained: expect.not.stringContaining('Error') })
  await expectNothingLeft(pids)
}, 60_000)

test('an unreachable network is a problem in its table, not a failed start, and a killed npm leaves nothing', async () => {
  const args = ['start', '--', '--port', '0', '--log', '--rpc-mainnet', 'http://127.0.0.1:9']
  const { child, ended, until } = commands.start('npm', args, { detached: true })
  const printed = await until('Ctrl-C stops it.')
  expect(printed).toMatch(/GET http:\S+\/v1\/price\n503 Chain unavailable: /)
  expect(printed).not.toContain('curl')
  // The requests of the start itself.
  expect(printed).toMatch(/^GET \/v1\/price 503, \d+ ms\nGET http/m)
  expect(printed).toMatch(/^GET \/v1\/price\?network=testnet 200, \d+ ms$/m)
  expect(printed).toMatch(/^Robinhood Chain Testnet \(46630\), block \d+: a local chain with invented prices$/m)
  const pids = commands.family(child.pid)
  child.kill('SIGKILL')
  await ended
  await expectNothingLeft(pids)
}, 60_000)

test('a closed terminal leaves no process and no file', async () => {
  const { child, ended, until } = commands.start(process.execPath, ['local/start.ts', '--port', '0'], {
    detached: true,
  })
  await until('Ctrl-C stops it.')
  const pids = commands.family(child.pid)
  for (const output of [child.stdout, child.stderr]) output?.destroy()
  process.kill(-(child.pid ?? 0), 'SIGHUP')
  await ended
  await expectNothingLeft(pids)
}, 60_000)

test.each<[what: string, program: string, args: string[], signal: NodeJS.Signals]>([
  ['Ctrl-C', process.execPath, ['local/start.ts', '--port', '0'], 'SIGINT'],
  ['a terminated npm', 'npm', ['start', '--', '--port', '0'], 'SIGTERM'],
])(
  '%s during the start ends it',
  async (_, program, args, signal) => {
    const { child, ended, until } = commands.start(program, args)
    await until('Bundling')
    const pids = commands.family(child.pid)
    child.kill(signal)
    expect(await ended).toMatchObject({ code: 0, complained: expect.not.stringContaining('Error') })
    await expectNothingLeft(pids)
  },
  60_000,
)

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

const rpcUrlsNeeded = (name: string) =>
  `${name} takes up to three RPC URLs: https, or http with a loopback host; without a user name.`

test.each([
  [['--prot', '1'], "Unknown option '--prot'. --help lists the options."],
  [['--port'], "Option '--port <value>' argument missing. --help lists the options."],
  [['--port', 'https://a.test/KEY'], '--port must be a number from 0 (any free port) to 65535.'],
  [['--port', '65536'], '--port must be a number from 0 (any free port) to 65535.'],
  [['--host', 'https://a.test/KEY'], '--host must be an address or a name.'],
  [['--https://a.test/KEY'], 'Unknown option. --help lists the options.'],
  [['--prot=https://a.test/KEY'], "Unknown option '--prot'. --help lists the options."],
  [['--rpc-mainnet', 'nowhere'], rpcUrlsNeeded('--rpc-mainnet')],
  [['--rpc-mainnet', 'http://a.test'], rpcUrlsNeeded('--rpc-mainnet')],
  [['--rpc-testnet', 'https://u@a.test'], rpcUrlsNeeded('--rpc-testnet')],
  [Array(4).fill('--rpc-mainnet=https://a.test'), rpcUrlsNeeded('--rpc-mainnet')],
  [['--rpc-mainnet', 'https://a.test/ http://a.test/'], rpcUrlsNeeded('--rpc-mainnet')],
  [['--rpc-mainnet', ' '], rpcUrlsNeeded('--rpc-mainnet')],
])('%j is rejected with its reason', (args, message) => {
  expect(() => parseOptions(args)).toThrow(new StartFailure(message))
})

test.each([
  ['start', 'npm start -- --port', 'port', ['3197']],
  ['start', 'npm start -- --watch', 'watch', []],
  ['invoke', 'npm run invoke -- --rpc-mainnet', 'rpc-mainnet', ['https://a.test/KEY']],
])('npm run %s: the remedy is %s when npm took the option for itself', (script, remedy, option, rest) => {
  const variables = { npm_lifecycle_event: script, [`npm_config_${option.replace('-', '_')}`]: 'x' }
  const message = `npm took --${option} for itself. Write -- before the options: ${remedy}`
  expect(() => parseOptions(rest, variables)).toThrow(new StartFailure(message))
})

test('npm start --port 3197 is an error, and npm gives the option to the command', async () => {
  const { code, complained } = await commands.start('npm', ['start', '--port', '3197']).ended
  expect(code).toBe(1)
  expect(complained).toContain('npm took --port for itself. Write -- before the options: npm start -- --port\n')
}, 30_000)

test('the options choose the address and the source of each network', () => {
  const rpcUrls = ['--rpc-testnet', 'https://a.test/key', '--rpc-testnet', 'http://[::1]:8545']
  const args = ['--host', '::1', '--port', '0', '--edge', '--live', ...rpcUrls, 'rest']
  expect(parseOptions(args)).toEqual({
    help: false,
    host: '::1',
    port: 0,
    edge: true,
    watch: false,
    log: false,
    sources: {
      ...ofEachNetwork(() => 'deployed'),
      testnet: { rpcUrls: 'https://a.test/key http://[::1]:8545' },
    },
    rest: ['rest'],
  })
})

test('environment variables choose the source of a network without a key in the arguments; an option takes precedence', () => {
  const variables = { RPC_URLS_MAINNET: 'https://a.test/key https://b.test', RPC_URLS_TESTNET: 'https://c.test' }
  expect(parseOptions(['--live', '--rpc-testnet', 'https://d.test'], variables).sources).toEqual({
    mainnet: { rpcUrls: 'https://a.test/key https://b.test' },
    testnet: { rpcUrls: 'https://d.test' },
  })
  expect(parseOptions([], { RPC_URLS_MAINNET: '' }).sources).toEqual({ mainnet: 'embedded', testnet: 'embedded' })
  expect(() => parseOptions([], { RPC_URLS_MAINNET: 'nowhere' })).toThrow(
    new StartFailure(rpcUrlsNeeded('RPC_URLS_MAINNET')),
  )
})

test.each([
  [
    ['--host', '192.0.2.1', '--port', '0'],
    'This machine does not have the address 192.0.2.1. Choose another with --host.\n',
  ],
  [['https://a.test/KEY'], 'An argument is not an option. --help lists the options.\n'],
])('npm start %j is one line', async (args, complained) => {
  expect(await start('local/start.ts', ...args).ended).toEqual({ code: 1, printed: '', complained })
})

test.each([
  ['start', '--port --host --edge --watch --log --live --rpc-mainnet --rpc-testnet RPC_URLS_MAINNET RPC_URLS_TESTNET'],
  ['invoke', '--live --rpc-mainnet --rpc-testnet RPC_URLS_MAINNET RPC_URLS_TESTNET'],
  ['smoke', '--no-cache --edge'],
  ['load', '--help'],
  ['bench', 'latency growth'],
] as const)('npm run %s -- --help prints the command and %s, and starts nothing', async (script, options) => {
  const { code, printed, complained } = await commands.start('sh', ['-c', `${repository.scripts[script]} --help`]).ended
  expect({ code, complained }).toEqual({ code: 0, complained: '' })
  expect(printed).toMatch(new RegExp(`^npm (run )?${script}\\b`))
  for (const option of options.split(' ')) expect(printed).toContain(option)
  expect(commands.running()).toEqual([])
})

test('npm run invoke prints the response of one function', async () => {
  const { code, printed } = await start('local/invoke.ts', 'local/events/get-price-crwd.json').ended
  expect(code).toBe(0)
  const { statusCode, headers, body } = JSON.parse(printed)
  expect(statusCode).toBe(200)
  expect(headers).toMatchObject({ 'Access-Control-Allow-Origin': '*' })
  expect(JSON.parse(body)).toMatchObject({ symbol: 'CRWD', price: 1079.9 })
  expect(commands.running()).toEqual([])
}, 60_000)

test.each([
  [[], 'Name one event, such as local/events/get-price-crwd.json.\n'],
  [['nowhere.json'], 'The argument is not a file with an event, which is a JSON object.\n'],
  [
    ['--live', 'cdk.json'],
    'No function has the event\'s "httpMethod" and "resource". Known: GET /price, HEAD /price, GET /price/{symbol}, HEAD /price/{symbol}.\n',
  ],
])(
  'npm run invoke %j is one line',
  async (args, complained) => {
    expect(await start('local/invoke.ts', ...args).ended).toEqual({ code: 1, printed: '', complained })
  },
  60_000,
)
