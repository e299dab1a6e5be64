import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { expectDocumented } from '../contract/documented.ts'

// What a command starts and writes has this folder in its command line or its path.
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
      if (child.exitCode !== null) throw new Error(`It ended, and said: ${printed}${complained}`)
      await sleep(50)
    }
    return printed
  }
  started.push({ child, ended })
  return { child, ended, until }
}

/** The command lines of what runs for us beside the command itself: the nodes and their watchers. */
const running = () =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter(line => line.includes(folder))

/** Asks a running service, and gives the body of its answer, which openapi.yaml describes. */
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

test('npm start shows both networks, answers where it says, and leaves nothing behind after Ctrl-C', async () => {
  const { child, ended, until } = start('local/start.ts', '--port', '0')
  const printed = await until('Ctrl-C stops it.')
  const [baseUrl = ''] = /http:\/\/127\.0\.0\.1:\d+\/v1/.exec(printed) ?? []
  expect(printed).toContain(`Open ${baseUrl}/ in a browser.`)
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

test('a crash leaves no process behind', async () => {
  const { child, ended, until } = start('local/start.ts', '--port', '0')
  await until('Ctrl-C stops it.')
  child.kill('SIGKILL')
  await ended
  await nothingRuns()
}, 60_000)

test('Ctrl-C while it starts is heard', async () => {
  const { child, ended, until } = start('local/start.ts', '--port', '0')
  await until('Bundling')
  child.kill('SIGINT')
  expect(await ended).toMatchObject({ code: 0, complained: '' })
  expect(running()).toEqual([])
}, 60_000)

test('a network that cannot be reached is a problem in the table, not a failed start', async () => {
  const { child, ended, until } = start('local/start.ts', '--port', '0', '--rpc-mainnet', 'http://127.0.0.1:9')
  const printed = await until('Ctrl-C stops it.')
  expect(printed).toMatch(/GET http:\S+\/v1\/price\n503 Chain unavailable: /)
  expect(printed).toContain('Robinhood Chain Testnet (46630)')
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0 })
}, 60_000)

test('a taken port is one sentence', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  expect(await start('local/start.ts', '--port', String(port)).ended).toEqual({
    code: 1,
    printed: '',
    complained: `Port ${port} of 127.0.0.1 is taken: --port N takes another, --port 0 any free one.\n`,
  })
  server.close()
})

test.each([
  [['--prot', '1'], "Unknown option '--prot'. --help shows what there is.\n"],
  [['--port'], "Option '--port <value>' argument missing. --help shows what there is.\n"],
  [['--port', 'x'], '--port takes a number from 0, which is any free port, to 65535; it cannot be x.\n'],
  [['--port', '65536'], '--port takes a number from 0, which is any free port, to 65535; it cannot be 65536.\n'],
  [['--host', '192.0.2.1', '--port', '0'], 'This machine has no address 192.0.2.1: --host takes another.\n'],
  [['--rpc-mainnet', 'nowhere'], 'An RPC URL is https, or http to a loopback host, and names no user.\n'],
  [['--rpc-mainnet', 'http://a.test'], 'An RPC URL is https, or http to a loopback host, and names no user.\n'],
  [['--rpc-testnet', 'https://u@a.test'], 'An RPC URL is https, or http to a loopback host, and names no user.\n'],
  [['--rpc-mainnet', ' , '], 'A network is read at one to three RPC URLs.\n'],
  [['now'], 'There is no option now. --help shows what there is.\n'],
])('%j is one sentence', async (args, complained) => {
  expect(await start('local/start.ts', ...args).ended).toEqual({ code: 1, printed: '', complained })
})

test('--help tells every option', async () => {
  const { code, printed } = await start('local/start.ts', '--help').ended
  expect(code).toBe(0)
  for (const option of ['--port', '--host', '--live', '--rpc-mainnet', '--rpc-testnet'])
    expect(printed).toContain(option)
})

test('npm run invoke prints what one function returns to the gateway, once', async () => {
  const { code, printed } = await start('local/invoke.ts', 'events/get-price-crwd.json').ended
  expect(code).toBe(0)
  const { statusCode, headers, body } = JSON.parse(printed)
  expect(statusCode).toBe(200)
  expect(headers).toMatchObject({ 'Access-Control-Allow-Origin': '*' })
  expect(JSON.parse(body)).toMatchObject({ symbol: 'CRWD', price: 1079.9 })
  expect(running()).toEqual([])
}, 60_000)

test.each([
  [[], 'Name one event, as events/get-price-crwd.json.\n'],
  [['nowhere.json'], 'nowhere.json is not a file with an event, which is a JSON object.\n'],
  [
    ['cdk.json'],
    'No function answers the event\'s "httpMethod" and "resource": there is GET /price and GET /price/{symbol}.\n',
  ],
])(
  'npm run invoke %j is one sentence',
  async (args, complained) => {
    expect(await start('local/invoke.ts', ...args).ended).toEqual({ code: 1, printed: '', complained })
  },
  60_000,
)
