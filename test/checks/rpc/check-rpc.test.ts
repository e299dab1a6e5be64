import { Readable } from 'node:stream'
import { numberToHex } from 'viem'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { networks } from '../../../api/networks.ts'
import { main } from '../../../checks/rpc/check-rpc.ts'
import { findWrongFeeds } from '../../../checks/rpc/wrong-feeds.ts'
import { program } from '../../../lambda/chain/program.ts'
import { feedsOf } from '../../../lambda/feeds/registry.ts'
import { attemptMs } from '../../../lambda/timing.ts'
import { startChain, toChainKind } from '../../../local/chains/chains.ts'
import { type StandInFeed, setStandInFeeds } from '../../../local/chains/stand-in-feed.ts'
import { toStandInFeeds } from '../../../local/chains/stand-in-feeds.ts'
import { everyFeed, firstReverting } from '../../support/chain/correct-node.ts'
import { revertingRow, rowWithoutCode } from '../../support/chain/encoding.ts'
import {
  type FaultyNode,
  forward,
  type Respond,
  rpcError,
  secret,
  startFaultyNode,
  startProxyNode,
  status,
  toReply,
} from '../../support/chain/faulty-node.ts'
import { createCommands } from '../../support/local/command.ts'

// In the order of their symbols, as the command reads them.
const standIns = toStandInFeeds('mainnet', feedsOf('mainnet'), Math.floor(Date.now() / 1_000))
const mainnet = await startChain({ ...toChainKind('mainnet'), feeds: standIns })
afterAll(mainnet.stop)

/** The pauses of the command. Instead of waiting, each one moves the stopped clock by its length. */
const pausesMs = vi.hoisted(() => Array.of<number>())
// Another file of the worker may have loaded the modules without the mock.
vi.hoisted(() => vi.resetModules())
vi.mock(import('node:timers/promises'), async load => {
  const timers = await load()
  return {
    ...timers,
    setTimeout: async (ms, ...rest) => {
      // A later file of the worker may use a module that was loaded with this mock.
      if (!vi.isFakeTimers()) return await timers.setTimeout(ms, ...rest)
      pausesMs.push(Number(ms))
      return void vi.advanceTimersByTime(Number(ms)) as never
    },
  }
})

// No endpoint times out, and nothing is printed.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  pausesMs.length = 0
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal)
  vi.spyOn(console, 'log').mockReturnValue()
  vi.spyOn(console, 'error').mockReturnValue()
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Runs the command for the mainnet. Returns its exit code, and the lines that it prints. */
async function check(...urls: readonly (string | URL)[]) {
  const code = await main(['--network', 'mainnet', ...urls.map(String)])
  const printed: string = vi.mocked(console.log).mock.lastCall?.[0]
  return { code, lines: printed.split('\n') }
}

const supported = expect.stringMatching(
  `^  mainnet: supported: ${standIns.length} feeds at block \\d+, \\d{1,2} s old, read in \\d+ ms$`,
)

test('the command reads URLs from its standard input, and prints no path, query or user of them', async () => {
  const { child, ended } = createCommands().start(process.execPath, ['checks/rpc/check-rpc.ts', '--network', 'testnet'])
  child.stdin?.end(`http://127.0.0.1:9/?key=${secret}\n, http://127.0.0.1:9/KEY`)
  const { code, printed, complained } = await ended
  expect({ code, complained }).toEqual({ code: 1, complained: '' })
  expect(printed).not.toMatch(new RegExp(`KEY|${secret}`))
  expect(printed.match(/^rpc-\d .*/gm)).toEqual(['rpc-1  http://127.0.0.1:9', 'rpc-2  http://127.0.0.1:9'])
})

test('URLs of a network are supported, and two agree', async () => {
  await using proxy = await startProxyNode(mainnet.rpcUrl)
  const { rpcUrl } = mainnet
  const agree = expect.stringMatching(/^mainnet: rpc-1, rpc-2 agree at block \d+$/)
  const lines = [`rpc-1  ${rpcUrl}`, supported, `rpc-2  ${proxy.url.origin}`, supported, agree]
  expect(await check(`${rpcUrl}/?key=${secret}`, `, ${proxy.url}`)).toEqual({ code: 0, lines })
  expect(console.error).not.toHaveBeenCalled()
  // Each URL gets four requests: two reads, the feeds, and the rows of one block.
  expect(vi.mocked(AbortSignal.timeout).mock.calls).toEqual(Array(8).fill([attemptMs]))
})

/** Starts a proxy of a node that serves this many requests in each period, and refuses others with 429. */
function startLimitingNode(rpcUrl: string, limit: number, periodMs = 1_000) {
  let served: readonly number[] = []
  return startFaultyNode(async (response, body) => {
    const now = performance.now()
    served = served.filter(servedAt => servedAt > now - periodMs)
    if (served.length >= limit) return status(429)(response, body)
    served = [...served, now]
    return response.end(await forward(rpcUrl, body))
  })
}

test.each([
  [1, 2],
  [2, 1],
  [3, 0],
])('a URL with a limit of %i requests a second passes, with %i repetitions', async (limit, repetitions) => {
  await using node = await startLimitingNode(mainnet.rpcUrl, limit)
  expect(await check(node.url)).toEqual({ code: 0, lines: [`rpc-1  ${node.url.origin}`, supported] })
  expect([node.requests.length, pausesMs]).toEqual([3 + repetitions, Array(repetitions).fill(1_100)])
})

// Their pauses overlap, but each of them moves the clock. So three URLs would use up their time at one request a second.
test.each([
  [2, 1],
  [3, 2],
  [3, 10],
])('%i URLs that share a limit of %i requests a second pass', async (count, limit) => {
  await using node = await startLimitingNode(mainnet.rpcUrl, limit)
  const { code, lines } = await check(...Array.from({ length: count }, (_, index) => `${node.url}?key=${index}`))
  expect(lines.at(-1)).toMatch(/^mainnet: rpc-1, .* agree at block \d+$/)
  expect([code, lines.length]).toEqual([0, 2 * count + 1])
})

test('a limit of five requests a minute refuses each repetition too, and the remedy is a larger plan', async () => {
  await using node = await startLimitingNode(mainnet.rpcUrl, 5, 60_000)
  const { code, lines } = await check(node.url, `${node.url}?key=2`)
  const refused = 'rate-limited, httpStatus 429. Remedy: raise the plan at the provider; or, in a deployment, the node'
  expect(lines.slice(3)).toEqual([
    expect.stringMatching('^  mainnet: supported: '),
    expect.stringMatching(`^  mainnet: its feeds cannot be compared with the registry: ${refused}`),
    expect.stringMatching(/^mainnet: rpc-1 cannot be compared at block \d+ \(rate-limited, httpStatus 429\); /),
    expect.stringMatching(/^mainnet: rpc-2 cannot be compared at block \d+ \(rate-limited, httpStatus 429\); /),
  ])
  expect(code).toBe(1)
})

test('a URL whose rows differ is named with the feeds', async () => {
  const [{ symbol, answer }] = mainnet.feeds as [StandInFeed]
  const toWord = (value: bigint) => numberToHex(value, { size: 32 }).slice(2)
  await using node = await startFaultyNode(async (response, body) => {
    const reply = await forward(mainnet.rpcUrl, body)
    response.end(reply.replace(toWord(answer), toWord(answer + 1n)))
  })
  const { code, lines } = await check(mainnet.rpcUrl, node.url)
  expect(code).toBe(1)
  expect(lines.at(-1)).toMatch(new RegExp(`^mainnet: rpc-1 and rpc-2 DISAGREE on ${symbol} at block \\d+$`))
  // The node gets four requests: two reads, the feeds, and the rows of one block, which are asked for once.
  expect([node.requests.length, pausesMs]).toEqual([4, []])
})

test.each<[string, Respond, string, RegExp]>([
  ['a refused key', status(401), 'unauthorized, httpStatus 401', /^check the key, /],
  ['a text as its code', rpcError('\u001b[2J', '\u001b[2J'), 'rpc-error', /^ask the provider about the `rpcCode`: /],
  ['no feed that can be read', everyFeed(revertingRow), 'fewer-feeds', /^compare with the chain's public URL: /],
  ['no feed with code', everyFeed(rowWithoutCode), 'no-state', /^choose a node with the chain's state\.$/],
])('%s beside a live URL is not supported, and is not compared (D24)', async (_, respond, reason, remedy) => {
  await using node = await startFaultyNode(respond)
  const { code, lines } = await check(mainnet.rpcUrl, node.url)
  expect(code).toBe(1)
  expect(lines.slice(2).map(line => line.split('. Remedy: '))).toEqual([
    [`rpc-2  ${node.url.origin}`],
    [`  mainnet: not supported: ${reason}`, expect.stringMatching(remedy)],
  ])
  expect(lines.join()).not.toMatch(new RegExp(`KEY|${secret}|\\p{C}`, 'u'))
  expect(node.requests).toHaveLength(1)
})

test.each([1, 20])('a URL at which %i of 21 feeds cannot be read is supported, and they are named', async count => {
  await using node = await startFaultyNode(async (response, body) =>
    body.includes(program) ? firstReverting(count)(response, body) : response.end(await forward(mainnet.rpcUrl, body)),
  )
  const { code, lines } = await check(node.url)
  const symbols = feedsOf('mainnet')
    .slice(0, count)
    .map(({ symbol }) => symbol)
  expect(lines).toEqual([
    expect.anything(),
    expect.stringMatching(`: supported: .* ms; not readable: ${symbols.join(' ')}$`),
  ])
  expect(code).toBe(0)
})

test('a URL of another network is not supported', async () => {
  expect(await main(['--network', 'testnet', mainnet.rpcUrl])).toBe(1)
  const report = `rpc-1  ${mainnet.rpcUrl}\n  testnet: not supported: wrong-chain. Remedy: use a URL of this network.`
  expect(console.log).toHaveBeenCalledExactlyOnceWith(report)
})

test('URLs that the functions refuse together are read, and the reason is printed (D22)', async () => {
  const urls = Array.from({ length: 4 }, (_, index) => `${mainnet.rpcUrl}/?KEY=${index}`)
  const refused = 'The functions refuse a parameter with these URLs'
  const reports = urls.flatMap((_, index) => [`rpc-${index + 1}  ${mainnet.rpcUrl}`, supported])
  const agree = expect.stringMatching(/^mainnet: rpc-1, rpc-2, rpc-3, rpc-4 agree at block \d+$/)
  const lines = [...reports, agree, `${refused}: it has more than 3 URLs.`]
  expect(await check(...urls)).toEqual({ code: 1, lines })
  expect(await check(...urls.slice(1))).toMatchObject({ code: 0 })
})

const spellings = [
  ['http://127.0.0.1:PORT', 'HTTP://127.0.0.1:PORT/?'],
  ['http://127.0.0.1:PORT/?', 'http://127.0.0.1:PORT'],
  ['http://127.0.0.1:PORT/KEY/', 'http://127.0.0.1:PORT/KEY'],
  ['http://127.0.0.1:PORT/KEY?key=1', 'http://127.0.0.1:PORT/KEY/?key=1'],
] as const

test.each(spellings)('%s and %s are one URL, which is read once and not compared', async (...urls) => {
  await using proxy = await startProxyNode(mainnet.rpcUrl)
  const { origin, port } = proxy.url
  const again = '  mainnet: not read: this is the URL of rpc-1 again. Remedy: give another URL in its place, or none.'
  const equal = [`rpc-1  ${origin}`, supported, `rpc-2  ${origin}`, again]
  expect(await check(...urls.map(url => url.replace('PORT', port)))).toEqual({ code: 1, lines: equal })
  expect(proxy.requests).toHaveLength(3)
})

test('two keys at one host are two URLs, which differ in their path, its case or their query', async () => {
  await using proxy = await startProxyNode(mainnet.rpcUrl)
  const urls = ['/KEY', '/key', '/KEY?key=1', '/KEY?key=2'].map(end => proxy.url.origin + end)
  for (const [index, url] of urls.entries()) {
    const other = String(urls[(index + 1) % urls.length])
    expect(await check(url, other)).toMatchObject({ code: 0 })
  }
})

test('feeds that are others than those of the registry are named, with what differs', async () => {
  type Five = [StandInFeed, StandInFeed, StandInFeed, StandInFeed, StandInFeed]
  const [a, b, c, d, e] = mainnet.feeds.slice(0, 5) as Five
  // Two addresses were swapped, a pair of a feed and a token moved together, a limit changed, and a feed is not there.
  const wrong = [
    { ...a, address: b.address, maxAgeSeconds: b.maxAgeSeconds },
    { ...b, address: a.address, maxAgeSeconds: a.maxAgeSeconds },
    { ...c, symbol: `${c.symbol}S` },
    { ...d, maxAgeSeconds: d.maxAgeSeconds + 1 },
  ]
  const chain = await startChain({ ...toChainKind('mainnet'), feeds: [...mainnet.feeds.slice(5), ...wrong] })
  const { code, lines } = await check(chain.rpcUrl)
  await chain.stop()
  const differing = [
    `${a.symbol} (token(), description())`,
    `${b.symbol} (token(), description())`,
    `${c.symbol} (description())`,
    `${d.symbol} (maxAge())`,
    `${e.symbol} (token(), description(), maxAge(), allowMarketClosed())`,
  ]
  expect(code).toBe(1)
  expect(lines).toContain(`  mainnet: DIFFER from the registry: ${differing.join(', ')}`)
})

test.each<[string, Respond, string]>([
  ['a failure', status(500), 'http-status, httpStatus 500. Remedy: check the path of the URL; '],
  [
    'all zeros',
    (response, body) => response.end(toReply(body, `0x${'00'.repeat(2_048)}`)),
    'malformed-result. Remedy: choose another provider: ',
  ],
  [
    'junk',
    (response, body) => response.end(toReply(body, `0x${'5a'.repeat(4_096)}`)),
    'malformed-result. Remedy: choose another provider: ',
  ],
])('feeds are compared in one request, and are not wrong because its reply is %s', async (_, respond, reason) => {
  await using node = await startFaultyNode(async (response, body) => {
    if (node.requests.length === 3) await respond(response, body)
    else response.end(await forward(mainnet.rpcUrl, body))
  })
  const { code, lines } = await check(node.url)
  const compared = expect.stringMatching(`^  mainnet: its feeds cannot be compared with the registry: ${reason}`)
  expect({ code, lines: lines.slice(1) }).toEqual({ code: 1, lines: [supported, compared] })
  expect(node.requests).toHaveLength(3)
})

test.each([
  [2, 2],
  [1, 3],
])(
  'at %i requests a second, as many feeds as a network may have are compared in %i requests, each of a reply that init code can return',
  async (limit, count) => {
    const feeds = Array.from({ length: 58 }, (_, index) => ({
      ...(mainnet.feeds[0] as StandInFeed),
      name: 'A',
      address: numberToHex(0x10000 + index, { size: 20 }),
    }))
    const chain = await startChain({ ...toChainKind('testnet'), feeds })
    await using node = await startLimitingNode(chain.rpcUrl, limit)
    expect(await findWrongFeeds(node.url, feeds)).toEqual([])
    await chain.stop()
    expect(node.requests).toHaveLength(count)
  },
)

/** The block tag of a request: `latest`, or the number of a pinned block. */
const blockOf = (body: string): string => JSON.parse(body).params[1]

/** Starts a node whose latest block stays that of now. */
async function startNodeBehind() {
  const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })
  const latest: string = JSON.parse(await forward(mainnet.rpcUrl, request)).result
  const node = await startProxyNode(mainnet.rpcUrl, body => body.replace('latest', latest))
  return { ...node, block: Number(latest) }
}

test('of two nodes some blocks apart, of which one moves, both agree', async () => {
  await using behind = await startNodeBehind()
  // A node with a feed that changes with each read of its latest block.
  const [feed] = mainnet.feeds as [StandInFeed]
  let changes = 0
  await using moving = await startProxyNode(mainnet.rpcUrl, async body => {
    changes += 1
    const changed = { ...feed, observedAt: feed.observedAt - changes }
    if (blockOf(body) === 'latest') await setStandInFeeds(mainnet.rpcUrl, [changed])
    return body
  })
  const { code, lines } = await check(moving.url, behind.url)
  expect(lines.at(-1)).toBe(`mainnet: rpc-1, rpc-2 agree at block ${behind.block}`)
  expect(code).toBe(0)
})

const lacksBlock = rpcError(-32_000)
const returnsNull: Respond = (response, body) => response.end(toReply(body, null))

/** Starts a node that fails the first requests for a block by its number, this many, and then returns its rows. */
function startLaggingNode(failures: number, fail: Respond = lacksBlock) {
  let left = failures
  return startFaultyNode(async (response, body) => {
    const isPinned = blockOf(body) !== 'latest'
    if (isPinned) left -= 1
    return isPinned && left >= 0 ? fail(response, body) : response.end(await forward(mainnet.rpcUrl, body))
  })
}

/** The requests for a block by its number. */
const pinned = ({ requests }: FaultyNode) => requests.filter(body => blockOf(body) !== 'latest')

test('a node that lacks the block is asked again each second, and one that returned its rows is not', async () => {
  await using proxy = await startProxyNode(mainnet.rpcUrl)
  await using lagging = await startLaggingNode(5)
  const { code, lines } = await check(proxy.url, lagging.url)
  expect(lines.at(-1)).toMatch(/^mainnet: rpc-1, rpc-2 agree at block \d+$/)
  expect(code).toBe(0)
  const repeated = pinned(lagging)
  expect([pinned(proxy).length, repeated.length, pausesMs]).toEqual([1, 6, Array(5).fill(1_000)])
  expect(new Set(repeated.map(blockOf)).size).toBe(1)
})

test.each<[string, Respond, string]>([
  ['lacks the block', lacksBlock, 'rpc-error, rpcCode -32000'],
  ['limits the rate at the block', status(429), 'rate-limited, httpStatus 429'],
  ['returns null for the block', returnsNull, 'malformed-result'],
])('a node cannot be compared that %s for more than five seconds', async (_, fail, kind) => {
  await using lagging = await startLaggingNode(6, fail)
  await using other = await startNodeBehind()
  const { code, lines } = await check(other.url, lagging.url)
  const reason = `at block ${other.block} (${kind}); it or another URL may be behind: run this again`
  expect(lines.at(-1)).toBe(`mainnet: rpc-2 cannot be compared ${reason}`)
  expect([code, pinned(lagging).length]).toEqual([1, 6])
})

test('a node that ignores the block of the call is named', async () => {
  await using behind = await startNodeBehind()
  await setStandInFeeds(mainnet.rpcUrl, mainnet.feeds)
  await using ignoring = await startProxyNode(mainnet.rpcUrl, body => body.replace(blockOf(body), 'latest'))
  const { code, lines } = await check(behind.url, ignoring.url)
  const reason = `at block ${behind.block} (another block); it or another URL may be behind: run this again`
  expect(lines.at(-1)).toBe(`mainnet: rpc-2 cannot be compared ${reason}`)
  expect([code, pinned(behind).length, pinned(ignoring).length]).toEqual([1, 1, 6])
})

test('the printed time is that of the second read, which needs no new connection', async () => {
  let reads = 0
  await using node = await startProxyNode(mainnet.rpcUrl, body => {
    // This is the first call of a read.
    if (blockOf(body) === 'latest') {
      reads += 1
      vi.advanceTimersByTime(reads === 1 ? 900 : 20)
    }
    return body
  })
  expect((await check(node.url)).lines[1]).toMatch(/, read in 20 ms$/)
})

test('the printed time of a read that a limit of the rate refused is that of its repetition', async () => {
  await using node = await startFaultyNode(async (response, body) => {
    vi.advanceTimersByTime(node.requests.length === 3 ? 20 : 900)
    if (node.requests.length === 2) await status(429)(response, body)
    else response.end(await forward(mainnet.rpcUrl, body))
  })
  expect((await check(node.url)).lines[1]).toMatch(/, read in 20 ms$/)
})

const expectUrls =
  'RPC URLs are expected, separated by white space or commas, but character 13 of URL 2 is not allowed.'
const command = 'npm run --silent check-rpc --'
const expectNetwork = `Expected: --network ${networks.join(' or ')}, after the -- that npm needs: ${command} --network mainnet.`

test.each<[string[], string]>([
  [['--network', 'mainnet', 'https://user:KEY@a.test'], expectUrls],
  // The arguments that npm passes for `npm run check-rpc --network mainnet`.
  [['mainnet'], expectNetwork],
  [['--network', 'KEY'], expectNetwork],
  [['--network', 'mainnet', '--KEY'], expectNetwork],
])('%j is rejected without being printed, and nothing is sent', async (args, complained) => {
  await using proxy = await startProxyNode(mainnet.rpcUrl)
  expect(await main([proxy.url.href, ...args])).toBe(2)
  expect(proxy.requests).toEqual([])
  expect(console.log).not.toHaveBeenCalled()
  expect(vi.mocked(console.error).mock.calls).toEqual([[`${complained} See ${command} --help.`]])
})

const noUrl = `No URL was given. See ${command} --help.`

test('an empty input is no URL', async () => {
  expect(await main(['--network', 'mainnet', ' , '])).toBe(2)
  expect(console.log).not.toHaveBeenCalled()
  expect(vi.mocked(console.error).mock.calls).toEqual([[noUrl]])
})

test('a terminal shows that it waits for URLs, and that none was given', async () => {
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(Object.assign(Readable.from(['']), { isTTY: true }) as never)
  expect(await main(['--network', 'testnet'])).toBe(2)
  expect(console.log).not.toHaveBeenCalled()
  expect(vi.mocked(console.error).mock.calls).toEqual([['Paste RPC URLs, then press Enter and Ctrl-D.'], [noUrl]])
})
