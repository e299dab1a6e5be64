import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { main } from '../../bench/check-rpc.ts'
import { checkRpc } from '../../bench/rpc-report.ts'
import registry from '../../lambda/feeds/registry.json' with { type: 'json' }
import { type Chain, startChain, toChainKind } from '../../local/chains/chains.ts'
import { toStandInFeeds } from '../../local/chains/stand-in-feeds.ts'
import {
  canary,
  forward,
  type Respond,
  rpcError,
  startFaultyNode,
  startProxyNode,
  status,
} from '../support/chain/faulty-node.ts'

let mainnet: Chain
let testnet: Chain

function start(network: 'mainnet' | 'testnet'): Promise<Chain> {
  const feeds = toStandInFeeds(network, registry[network], Math.floor(Date.now() / 1_000))
  return startChain({ ...toChainKind(network), feeds })
}

beforeAll(async () => {
  ;[mainnet, testnet] = await Promise.all([start('mainnet'), start('testnet')])
})

// No endpoint times out, and nothing is printed.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal)
  vi.spyOn(console, 'log').mockReturnValue()
  vi.spyOn(console, 'error').mockReturnValue()
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

afterAll(() => Promise.all([mainnet.stop(), testnet.stop()]))

const supported = (feeds: number) =>
  expect.stringMatching(`: supported: ${feeds} feeds at block \\d+, \\d+ s old, read in \\d+ ms$`)
const elsewhere = 'another chain (wrong-chain), as expected of a URL of one network'

test('the command reads URLs from its standard input, and prints no path, query or user of them', async () => {
  const child = spawn(process.execPath, ['bench/check-rpc.ts'])
  const ended = once(child, 'close')
  child.stdin.end(`http://127.0.0.1:9/?key=${canary}\n, http://127.0.0.1:9/KEY`)
  const [printed, complained] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await ended
  expect({ code, complained }).toEqual({ code: 1, complained: '' })
  expect(printed).not.toMatch(new RegExp(`KEY|${canary}`))
  expect(printed.match(/^rpc-\d .*/gm)).toEqual(['rpc-1  http://127.0.0.1:9', 'rpc-2  http://127.0.0.1:9'])
})

test('URLs of each network are supported, and two of one network agree', async () => {
  await using proxy = await startProxyNode(mainnet.rpcUrl)
  const { rpcUrl } = mainnet
  expect(await main([`${rpcUrl}/?key=${canary}`, `${proxy.url.href}, ${testnet.rpcUrl}`])).toBe(0)
  expect(console.error).not.toHaveBeenCalled()
  const [[printed] = []] = vi.mocked(console.log).mock.calls
  expect(printed).not.toMatch(new RegExp(`KEY|${canary}`))
  expect(printed.split('\n')).toEqual([
    `rpc-1  ${rpcUrl}`,
    supported(registry.mainnet.length),
    `  testnet: ${elsewhere}`,
    `rpc-2  ${proxy.url.origin}`,
    supported(registry.mainnet.length),
    `  testnet: ${elsewhere}`,
    `rpc-3  ${testnet.rpcUrl}`,
    `  mainnet: ${elsewhere}`,
    supported(registry.testnet.length),
    expect.stringMatching(/^mainnet: rpc-1, rpc-2 agree at block \d+$/),
  ])
})

test('a URL whose rows differ is named with the feeds', async () => {
  // Changes the last digit of the first feed's `answer`.
  const lie: Respond = async (response, body) => {
    const reply = JSON.parse(await forward(mainnet.rpcUrl, body))
    const at = 2 + 64 * (3 + 2 + 2) - 1
    const { result } = reply
    const digit = result?.[at] === '1' ? '2' : '1'
    response.end(JSON.stringify({ ...reply, result: result.slice(0, at) + digit + result.slice(at + 1) }))
  }
  await using node = await startFaultyNode(lie)
  const { lines, isUsable } = await checkRpc([new URL(mainnet.rpcUrl), node.url])
  expect(isUsable).toBe(false)
  const [first] = registry.mainnet
  expect(lines.at(-1)).toMatch(new RegExp(`^mainnet: rpc-1 and rpc-2 DISAGREE on ${first?.symbol} at block \\d+$`))
})

test.each<[string, Respond, string, RegExp]>([
  ['a refused key', status(401), 'unauthorized, httpStatus 401', /^check the key, /],
  ['a used up plan', status(429), 'rate-limited, httpStatus 429', /^raise the plan/],
  ['a web page', status(200, '<html>'), 'malformed-envelope', /^check the path of the URL: /],
  ['a wrong path', status(404), 'http-status, httpStatus 404', /^check the path of the URL; /],
  [
    'a node without the call',
    rpcError(-32_602),
    'rpc-error, rpcCode -32602',
    /^ask the provider about the `rpcCode`: /,
  ],
  ['a text as its code', rpcError('\u001b[2J', '\u001b[2J'), 'rpc-error', /^ask the provider about the `rpcCode`: /],
])('%s is not supported, with the reason and the remedy', async (_, respond, reason, remedy) => {
  await using node = await startFaultyNode(respond)
  const { lines, isUsable } = await checkRpc([node.url])
  expect(isUsable).toBe(false)
  const [endpoint, ...ofNetworks] = lines.map(line => line.split('. Remedy: '))
  expect(endpoint).toEqual([`rpc-1  ${node.url.origin}`])
  expect(ofNetworks).toEqual([
    [`  mainnet: not supported: ${reason}`, expect.stringMatching(remedy)],
    [`  testnet: not supported: ${reason}`, expect.stringMatching(remedy)],
  ])
  expect(lines.join()).not.toMatch(new RegExp(`KEY|${canary}|\\p{C}`, 'u'))
})

test('two URLs of one host agree, with the note that they count once', async () => {
  const { lines, isUsable } = await checkRpc([new URL(mainnet.rpcUrl), new URL(`${mainnet.rpcUrl}/?other`)])
  expect(isUsable).toBe(true)
  expect(lines.at(-1)).toBe('mainnet: some URLs share a host, which counts once for `agreement`')
})

test.each(['', 'https://a.test https://user:KEY@a.test'])('%j is rejected without being printed', async argument => {
  expect(await main([argument])).toBe(2)
  expect(console.log).not.toHaveBeenCalled()
  expect(vi.mocked(console.error).mock.calls).toEqual([
    ['RPC URLs are expected: https, or http with a loopback host; without a user name. See --help.'],
  ])
})

test('a terminal shows that it waits for URLs', async () => {
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(Object.assign(Readable.from(['']), { isTTY: true }) as never)
  expect(await main([])).toBe(2)
  expect(console.error).toHaveBeenNthCalledWith(1, 'Paste RPC URLs, then press Enter and Ctrl-D.')
})

test('--help prints the command', async () => {
  expect(await main(['--help'])).toBe(0)
  expect(console.log).toHaveBeenCalledWith(expect.stringMatching(/^npm run --silent check-rpc -- URL…/))
})
