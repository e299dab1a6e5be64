import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { networks } from '../../api/networks.ts'
import { priceRoutes } from '../../api/routes.ts'
import repository from '../../package.json' with { type: 'json' }
import { silence, startFaultyNode, status } from '../support/chain/faulty-node.ts'
import { until } from '../support/clock.ts'
import { createCommands } from '../support/local/command.ts'

const commands = createCommands()
afterAll(() => commands.stop())

const start = (script: string, ...args: string[]) => commands.start(process.execPath, [script, ...args])

test('npm start serves both networks with invented prices, until Ctrl-C (D28)', async () => {
  const { child, ended, until } = commands.start('npm', ['start', '--', '--port', '0'], { detached: true })
  const printed = await until('Ctrl-C stops it.')
  const [baseUrl = ''] = /http:\/\/127\.0\.0\.1:\d+\/v1/.exec(printed) ?? []
  expect(printed.trimEnd().split('\n').at(-1)).toBe(`Price Lookup is running. Ctrl-C stops it. Open ${baseUrl}/`)
  expect(printed).toMatch(/^Robinhood Chain \(4663\), block \d+: a local chain, invented prices$/m)
  expect(printed).toMatch(/^Robinhood Chain Testnet \(46630\), block \d+: a local chain, invented prices$/m)
  expect(printed).toContain(`  curl ${baseUrl}/price/CRWD\n`)
  expect(printed).not.toMatch(/^GET /m)
  expect(printed).toMatch(/^ {2}CRWD +Market closed +1079\.9 +yes$/m)
  expect(printed).toMatch(/^ {2}SNAP +No data +- +no: FeedUnavailable$/m)
  expect(printed).toMatch(/^ {2}labTSLA +Straddle +1290\.51 +no: FeedUnavailable$/m)
  expect(await (await fetch(`${baseUrl}/price/crwd`)).json()).toMatchObject({ symbol: 'CRWD', price: 1079.9 })
  const pids = commands.family(child.pid)
  // The processes are npm, node, and two anvil nodes with their watchers.
  expect(pids.length).toBeGreaterThan(3)
  // A terminal sends SIGINT to npm and to node, and npm forwards its own SIGINT to node.
  process.kill(-(child.pid ?? 0), 'SIGINT')
  expect(await ended).toEqual({ code: 0, printed, complained: '' })
  await commands.expectNothingLeft(pids)
})

/**
 * Sends Ctrl-C to its own process group, as a terminal does, when `MOMENT` happens the `TIME`th time. It writes the
 * process id of each child to the standard error output.
 */
const interrupter = `
  import { ChildProcess } from 'node:child_process'
  import { subscribe } from 'node:diagnostics_channel'
  import { writeSync } from 'node:fs'
  import { Worker } from 'node:worker_threads'
  const { MOMENT, TIME } = process.env
  let time = 0
  function happens(what) {
    // A command that never has the moment ends too: these texts are printed when it is over.
    const isMissed = /is running|statusCode/.test(what)
    if (isMissed || (what.includes(MOMENT) && ++time === Number(TIME))) process.kill(0, 'SIGINT')
  }
  const { spawn } = ChildProcess.prototype
  ChildProcess.prototype.spawn = function (options) {
    const result = spawn.call(this, options)
    writeSync(2, this.pid + '\\n')
    happens('it starts ' + options.args.join(' '))
    return result
  }
  const { postMessage } = Worker.prototype
  Worker.prototype.postMessage = function (message) {
    // The message is to the worker of the bundler. The process then waits for the worker's reply.
    postMessage.call(this, message)
    happens('it bundles ' + message.args[0].entryPoints)
  }
  subscribe('http.server.request.start', ({ request }) => happens('it requests ' + request.url))
  const { stdout } = process
  const { write } = stdout
  stdout.write = (text, ...args) => {
    const result = write.call(stdout, text, ...args)
    happens('it prints ' + text)
    return result
  }
`

/** Runs a command that gets Ctrl-C at a moment. Returns its exit code, its output, and how many children it had. */
async function interrupt(moment: string, time: number, ...command: string[]) {
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(interrupter)}`
  const env = { MOMENT: moment, TIME: `${time}`, NODE_OPTIONS }
  const { complained, ...rest } = await commands.start('npm', ['--silent', ...command], { detached: true, env }).ended
  expect(complained).toMatch(/^(\d+\n)+$/)
  const pids = complained.trim().split('\n').map(Number)
  await commands.expectNothingLeft(pids)
  return { ...rest, children: pids.length }
}

const onlyStarting = /^Starting…\n\n$/
const tableOfMainnet = /^Starting…\n\nRobinhood Chain \(4663\)[^()]+$/
const withoutChains = networks.flatMap(network => [`--rpc-${network}`, 'http://127.0.0.1:9'])

// The children are npm's shell, two nodes and the bundler.
test.each<[moment: string, time: number, children: number, printed: RegExp, args?: string[]]>([
  ['it prints Starting…', 1, 3, onlyStarting],
  ['bin/anvil', 1, 3, onlyStarting],
  ['bin/anvil', 2, 3, onlyStarting],
  ['bin/esbuild', 1, 4, onlyStarting],
  ['it bundles', 1, 4, onlyStarting],
  ['it bundles', 2, 4, onlyStarting],
  ['it bundles', 2, 2, onlyStarting, withoutChains],
  ['board/main.tsx', 1, 4, onlyStarting],
  ['board/record/record.css', 1, 4, onlyStarting],
  ['it requests /v1/price', 1, 4, onlyStarting],
  ['it prints Robinhood Chain (4663)', 1, 4, tableOfMainnet],
  ['it requests /v1/price?network=testnet', 1, 4, tableOfMainnet],
])('Ctrl-C during npm start ends it without further output: "%s", time %i', async (...row) => {
  const [moment, time, children, printed, args = []] = row
  const result = await interrupt(moment, time, 'start', '--', '--port', '0', ...args)
  expect(result).toEqual({ code: 0, printed: expect.stringMatching(printed), children })
})

test.each([
  ['bin/anvil', 2],
  ['it requests /', 1],
])('Ctrl-C during npm run invoke ends it without output: "%s", time %i', async (moment, time) => {
  const command = ['run', 'invoke', 'local/events/get-price-crwd.json']
  expect(await interrupt(moment, time, ...command)).toEqual({ code: 0, printed: '', children: 3 })
})

test('an unreachable network is a problem in its table, with the next command', async () => {
  await using node = await startFaultyNode(status(401))
  const env = { RPC_URLS_MAINNET: `${node.url} http://127.0.0.1:39/KEY` }
  const args = ['start', '--', '--port', '0', '--log']
  const { child, ended, until } = commands.start('npm', args, { detached: true, env })
  const printed = await until('Ctrl-C stops it.')
  expect(printed).toMatch(/GET http:\S+\/v1\/price\n503 Chain unavailable: /)
  expect(printed).toContain('unknown.\nCheck its RPC URLs: npm run --silent check-rpc -- --network mainnet\n')
  expect(printed).not.toContain('curl')
  // The requests that the start itself sends are not logged.
  expect(printed).not.toMatch(/^GET \/v1/m)
  const [baseUrl = ''] = /http:\S+\/v1(?=\/\n)/.exec(printed) ?? []
  await fetch(`${baseUrl}/price/NONE`)
  expect(await until(' ms\n')).toMatch(/running\..*\nGET \/v1\/price\/NONE 404, \d+ ms\n$/)
  const pids = commands.family(child.pid)
  child.kill('SIGKILL')
  expect((await ended).complained).not.toContain('KEY')
  await commands.expectNothingLeft(pids)
})

test('a terminated npm ends the start', async () => {
  const { child, ended, until } = commands.start('npm', ['start', '--', '--port', '0'])
  await until('Starting')
  const pids = commands.family(child.pid)
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0, complained: '' })
  await commands.expectNothingLeft(pids)
})

test('a port in use is one line', async () => {
  await using node = await startFaultyNode(silence)
  const { port } = node.url
  const remedy = 'Choose another with --host or --port; --port 0 is any free one.'
  expect(await start('local/start.ts', '--port', port).ended).toEqual({
    code: 1,
    printed: 'Starting…\n\n',
    complained: `listen EADDRINUSE: address already in use 127.0.0.1:${port}. ${remedy}\n`,
  })
})

test('a port that fetch refuses is one line', async () => {
  // Another process may use one of these ports.
  const ended = await Promise.all(['10080', '6697', '6566'].map(port => start('local/start.ts', '--port', port).ended))
  const line = /^Browsers and fetch refuse port \d+ of 127\.0\.0\.1: bad port\. Choose another with --port\.\n$/
  expect(ended).toContainEqual({ code: 1, printed: 'Starting…\n\n', complained: expect.stringMatching(line) })
})

test('npm start --port 3197 is an error with the remedy', async () => {
  const { code, complained } = await commands.start('npm', ['start', '--port', '3197']).ended
  expect(code).toBe(1)
  expect(complained).toContain('npm took --port for itself. Write -- before the options: npm start -- --port\n')
})

test.each([
  ['start', '--port --host --log --live --rpc-mainnet --rpc-testnet RPC_URLS_MAINNET RPC_URLS_TESTNET'],
  ['invoke', '--live --rpc-mainnet --rpc-testnet RPC_URLS_MAINNET RPC_URLS_TESTNET'],
  ['smoke', '--no-cache'],
  ['check-rpc', '--network NETWORK URL…'],
  ['bench', 'docs/bench.md'],
] as const)(
  'npm run %s -- --help prints the command and %s in lines of at most 80 columns, and ends',
  async (script, options) => {
    const { code, printed, complained } = await commands.start('sh', ['-c', `${repository.scripts[script]} --help`])
      .ended
    expect({ code, complained }).toEqual({ code: 0, complained: '' })
    expect(printed).toMatch(new RegExp(`^npm (run )?(--silent )?${script}\\b`))
    for (const option of options.split(' ')) expect(printed).toContain(option)
    expect(printed.split('\n').filter(line => line.length > 80)).toEqual([])
  },
)

test('the smoke test, as a process, begins its checks', async () => {
  await using service = await startFaultyNode(status(200, '{}'))
  const smoke = start('checks/service/smoke.ts', service.url.origin)
  // Its first request only shows whether the URL is that of a service.
  await Promise.race([smoke.ended, until(() => service.requests.length > 1)])
  expect(service.requests.length).toBeGreaterThan(1)
})

test('npm run invoke accepts an event without a host, as AWS’s sample events', async () => {
  const event = {
    resource: '/price',
    httpMethod: 'GET',
    queryStringParameters: { network: 'x' },
    requestContext: { stage: 'prod' },
  }
  const file = join(tmpdir(), `${randomUUID()}.json`)
  await writeFile(file, JSON.stringify(event))
  const { ended } = start('local/invoke.ts', '--live', file)
  const { code, printed, complained } = await ended
  await rm(file)
  expect({ code, complained }).toEqual({ code: 0, complained: '' })
  expect(JSON.parse(printed)).toMatchObject({
    statusCode: 400,
    headers: { Link: expect.stringMatching('^</prod/openapi.json>') },
  })
})

const invokeHelp = 'npm run invoke -- --help'
const example = 'such as local/events/get-price-crwd.json.'
const known = priceRoutes.flatMap(({ path }) => [`GET ${path}`, `HEAD ${path}`]).join(', ')

test.each([
  ['start', ['--log', '0123456789abcdef'], 'Unknown argument number 2. npm start -- --help lists the options.'],
  ['invoke', ['--log', 'x.json'], `--log is an option of npm start alone. ${invokeHelp} lists those of this command.`],
  ['invoke', ['--port=80'], `--port is an option of npm start alone. ${invokeHelp} lists those of this command.`],
  ['invoke', [], `Name one event, ${example}`],
  ['invoke', ['README.md'], `This file is missing, or no event of API Gateway. Name an event, ${example}`],
  ['invoke', ['--live', 'cdk.json'], `No function has the event's "httpMethod" and "resource". Known: ${known}.`],
])('npm run %s %j is one line', async (script, args, line) => {
  const { ended } = start(`local/${script}.ts`, ...args)
  expect(await ended).toEqual({ code: 1, printed: '', complained: `${line}\n` })
})
