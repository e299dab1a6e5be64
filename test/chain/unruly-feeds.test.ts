import { createTestClient, type Hex, http, numberToHex } from 'viem'
import { foundry } from 'viem/chains'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readFeeds } from '../../lambda/chain/read-feeds.ts'
import { type Feed, feedsOf } from '../../lambda/feeds/registry.ts'
import { ChainUnavailable, FeedUnreadable } from '../../lambda/problems.ts'
import { type Chain, chainKinds, startChain } from '../../local/chains.ts'
import { misbehave } from '../../local/stand-in-feed.ts'
import { startCountingNode } from './counting-node.ts'
import { startSickNode } from './sick-node.ts'

const mainnet = feedsOf('mainnet')
const [first, second, ...others] = mainnet as readonly [Feed, Feed, ...Feed[]]
const healthy = {
  status: 'OK',
  servesWhenClosed: true,
  answer: 100n,
  sharePrice: 100n,
  multiplier: 10n ** 18n,
  observedAt: 1_700_000_000,
} as const

let chain: Chain
beforeEach(async () => {
  const feeds = mainnet.map(({ address, token }) => ({ address, token, ...healthy }))
  chain = await startChain({ ...chainKinds.mainnet, feeds })
})
afterEach(() => chain.stop())

const setCode = (address: Hex, bytecode: Hex) =>
  createTestClient({ chain: foundry, mode: 'anvil', transport: http(chain.rpcUrl) }).setCode({ address, bytecode })
const read = (feeds: readonly Feed[] = mainnet, ...rpcUrls: readonly string[]) => {
  const question = { network: 'mainnet', feeds, maxHeadAgeSeconds: 60 } as const
  const urls = rpcUrls.length === 0 ? [chain.rpcUrl] : rpcUrls
  return readFeeds(
    question,
    urls.map(url => new URL(url)),
    performance.now() + 3_500,
  )
}
const statusesOf = ({ reads }: Awaited<ReturnType<typeof read>>) =>
  reads.map(({ reading }) => (reading instanceof FeedUnreadable ? 'unreadable' : reading.detail.status))
const all = (count: number, status: string): string[] => Array.from({ length: count }, () => status)
const clean = { endpoint: 'rpc-1', attempts: 1, faults: [] }
const ask = async (body: string) => {
  const headers = { 'Content-Type': 'application/json' }
  return await (await fetch(chain.rpcUrl, { method: 'POST', headers, body })).text()
}
/** What a node says of a block that it does not have yet. */
const toMissing = (id: number) =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message: 'header not found' } })

// One after another, 21 requests of 100 ms would take 2.1 s, and an endpoint has 1.5 s.
test.each(['latestDetail()', 'latestRoundData()'] as const)(
  'a list in which every %s reverts without data is read in time, and at one block (D1, D2, D18)',
  async method => {
    for (const { address } of mainnet) await misbehave(chain.rpcUrl, address, method, { revert: '0x' })
    let [asking, mostAtOnce] = [0, 0]
    await using node = await startCountingNode(chain.rpcUrl, async request => {
      asking += 1
      mostAtOnce = Math.max(mostAtOnce, asking)
      await new Promise(resolve => setTimeout(resolve, 100))
      asking -= 1
      return request
    })
    const { reads, course, head } = await read(mainnet, node.url.href)
    expect(course).toEqual(clean)
    expect(reads.map(({ feed }) => feed)).toEqual(mainnet)
    for (const { reading } of reads) {
      if (method === 'latestDetail()') expect(reading).toBeInstanceOf(FeedUnreadable)
      else expect(reading).toMatchObject({ detail: { status: 'OK' }, round: { reverts: 'unnamed' } })
    }
    // An endpoint is not flooded by it.
    expect(mostAtOnce).toBe(16)
    const [tag, ...pinned] = node.requests.map(request => JSON.parse(request).params[1])
    expect(tag).toBe('latest')
    expect(new Set(pinned)).toEqual(new Set([numberToHex(head.block)]))
  },
)

test.each([0, 10, 20])('one feed that reverts without data, as number %i, costs two requests at most', async at => {
  const unruly = mainnet[at] ?? first
  await misbehave(chain.rpcUrl, unruly.address, 'latestDetail()', { revert: '0x' })
  await using node = await startCountingNode(chain.rpcUrl)
  const { reads } = await read(mainnet, node.url.href)
  const unreadable = reads.filter(({ reading }) => reading instanceof FeedUnreadable)
  expect(unreadable.map(({ feed }) => feed)).toEqual([unruly])
  expect(node.requests.length).toBeLessThanOrEqual(3)
})

/** Calls what burns all but a 64th of the gas, and forgets that it failed. */
const callBurner = '600060006000600061bbbb5afa50'
/** A million gas, and then five words of zero: PUSH3 40960, and 26 gas for each time that the loop counts one off. */
const hungry: Hex = '0x6200a0005b600190038060045760a06000f3'

test.each<[string, Hex, string]>([
  ['answers that it has no data', `0x${callBurner}600660005260a06000f3`, 'No data'],
  ['reverts with FeedUnavailable', `0x${callBurner}63e3f18fa860e01b60005260046000fd`, 'unreadable'],
])('a feed that was left too little gas by one that %s is asked again (D2)', async (_, bytecode, status) => {
  await setCode(numberToHex(0xbbbb, { size: 20 }), '0xfe')
  await setCode(first.address, bytecode)
  await setCode(second.address, hungry)
  expect(statusesOf(await read([second]))).toEqual(['OK'])
  expect(statusesOf(await read([first, second]))).toEqual([status, 'OK'])
  expect(statusesOf(await read([first, ...others, second]))).toEqual([status, ...all(20, 'OK')])
  expect(statusesOf(await read([...others, first, second]))).toEqual([...all(19, 'OK'), status, 'OK'])
})

/** Answers or reverts with so many zeros: PUSH3, PUSH1 0, and the opcode. */
const say = (bytes: number, opcode: 'f3' | 'fd'): Hex => `0x62${bytes.toString(16).padStart(6, '0')}6000${opcode}`

test.each([
  ['answers with 200 kB', say(200_000, 'f3')],
  ['reverts with 200 kB', say(200_000, 'fd')],
  ['reverts with 800 kB, near all that 50 million gas carry', say(800_000, 'fd')],
])('a feed that %s is unreadable, and in the list it alone (D2, D18)', async (_, bytecode) => {
  await setCode(second.address, bytecode)
  expect(statusesOf(await read([second]))).toEqual(['unreadable'])
  expect(statusesOf(await read())).toEqual(['OK', 'unreadable', ...all(19, 'OK')])
})

test('a pool of nodes, every other one a block behind, is asked until it has the block (D2, D17)', async () => {
  await misbehave(chain.rpcUrl, second.address, 'latestDetail()', { revert: '0x' })
  let asked = 0
  await using pool = await startSickNode(async (response, body) => {
    const { id, params } = JSON.parse(body)
    asked += 1
    response.end(params[1] !== 'latest' && asked % 2 === 0 ? toMissing(id) : await ask(body))
  })
  for (const turn of [0, 1]) {
    asked = turn
    const { reads, course } = await read(mainnet, pool.url.href)
    expect(reads).toHaveLength(mainnet.length)
    expect(course).toEqual(clean)
  }
})

test('a node that never has the block is at fault itself, and is asked for it five times (D2, D24)', async () => {
  await misbehave(chain.rpcUrl, first.address, 'latestDetail()', { revert: '0x' })
  await using behind = await startSickNode(async (response, body) => {
    const { id, params } = JSON.parse(body)
    response.end(params[1] === 'latest' ? await ask(body) : toMissing(id))
  })
  const error: unknown = await read([first, second], behind.url.href).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ChainUnavailable)
  expect((error as ChainUnavailable).faults.map(({ kind }) => kind)).toEqual(['rpc-error', 'rpc-error'])
  // Both feeds in one call, and then each in its own: once at the head, and five times at its block.
  expect(behind.requests).toHaveLength(12)
})

test('a node that has enough of us is not asked again for a block (D24)', async () => {
  await misbehave(chain.rpcUrl, first.address, 'latestDetail()', { revert: '0x' })
  await using busy = await startSickNode(async (response, body) => {
    if (JSON.parse(body).params[1] === 'latest') response.end(await ask(body))
    else response.writeHead(429).end()
  })
  const error: unknown = await read([first, second], busy.url.href).catch((thrown: unknown) => thrown)
  expect((error as ChainUnavailable).faults).toEqual([{ endpoint: 'rpc-1', kind: 'rate-limited' }])
  expect(busy.requests).toHaveLength(2)
})

test('when one of the further calls fails, the others are let go (D24)', async () => {
  await misbehave(chain.rpcUrl, second.address, 'latestDetail()', { revert: '0x' })
  const letGo = Promise.withResolvers<boolean>()
  let further = 0
  await using failing = await startSickNode(async (response, body) => {
    const isFurther = JSON.parse(body).params[1] !== 'latest'
    if (isFurther) further += 1
    if (!isFurther) response.end(await ask(body))
    else if (further === 1) response.on('close', () => letGo.resolve(true))
    else response.writeHead(500).end()
  })
  await using next = await startSickNode(async (response, body) => {
    setTimeout(() => letGo.resolve(false), 500)
    if (await letGo.promise) response.end(await ask(body))
    else response.writeHead(500).end()
  })
  const { course } = await read(mainnet, failing.url.href, next.url.href)
  expect(course).toEqual({ endpoint: 'rpc-2', attempts: 2, faults: [{ endpoint: 'rpc-1', kind: 'http-status' }] })
})
