import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, createTestClient, type Hex, http, numberToHex, publicActions } from 'viem'
import { foundry } from 'viem/chains'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Reading, readCall } from '../../lambda/chain/read-call.ts'
import { readEndpoint } from '../../lambda/chain/read-endpoint.ts'
import { createRequestBudget } from '../../lambda/chain/read-feeds.ts'
import { Fault } from '../../lambda/faults.ts'
import { type Feed, feedsOf } from '../../lambda/feeds/registry.ts'
import { type Chain, startChain, toChainKind } from '../../local/chains/chains.ts'
import { misbehave } from '../../local/chains/stand-in-feed.ts'
import { blockOf, countFeeds, forward, startFaultyNode, startProxyNode, toErrorReply } from './faulty-node.ts'

const mainnet = feedsOf('mainnet')
const [first, second, third] = mainnet as readonly [Feed, Feed, Feed, ...Feed[]]
const healthy = {
  status: 'OK',
  servesWhenClosed: true,
  answer: 100n,
  sharePrice: 100n,
  multiplier: 10n ** 18n,
  observedAt: 1_700_000_000,
} as const

let chain: Chain
beforeAll(async () => {
  const feeds = mainnet.map(({ address, token }) => ({ address, token, ...healthy }))
  chain = await startChain({ ...toChainKind('mainnet'), feeds })
})
afterAll(() => chain.stop())

/** Code that the current test replaced. */
const replaced = new Map<Address, Hex>()
const anvil = () =>
  createTestClient({ chain: foundry, mode: 'anvil', transport: http(chain.rpcUrl) }).extend(publicActions)
async function setCode(address: Address, bytecode: Hex): Promise<void> {
  replaced.set(address, (await anvil().getCode({ address })) ?? '0x')
  await anvil().setCode({ address, bytecode })
}
afterEach(async () => {
  for (const [address, bytecode] of replaced) await anvil().setCode({ address, bytecode })
  replaced.clear()
})

const toRequest = (feeds: readonly Feed[]) => ({ network: 'mainnet', feeds }) as const
const limits = () => ({ signal: AbortSignal.timeout(15_000), countRequest: () => {} })
const read = (feeds: readonly Feed[] = mainnet, rpcUrl = chain.rpcUrl) =>
  readEndpoint(new URL(rpcUrl), toRequest(feeds), true, limits())
const statusesOf = ({ reads }: Pick<Reading, 'reads'>) =>
  reads.map(({ reading }) => ('unreadable' in reading ? 'unreadable' : reading.detail.status))
const all = (count: number, status: string): string[] => Array.from({ length: count }, () => status)
const allBut = (index: number, status: string) => all(mainnet.length, 'OK').with(index, status)

/** Endless: JUMPDEST, PUSH1 0, JUMP. */
const endless: Hex = '0x5b600056'

test.each(['latestDetail()', 'latestRoundData()'] as const)(
  'a list in which every %s reverts without data is one request, because no feed lacked gas (D1, D2, D18)',
  async method => {
    for (const { address } of mainnet) await misbehave(chain.rpcUrl, address, method, { revert: '0x' })
    await using node = await startProxyNode(chain.rpcUrl)
    const { reads } = await read(mainnet, node.url.href)
    expect(reads.map(({ feed }) => feed)).toEqual(mainnet)
    for (const { reading } of reads) {
      if (method === 'latestDetail()') {
        expect(reading).toEqual({ unreadable: 'latestDetail() reverted with an unnamed error' })
      } else expect(reading).toMatchObject({ detail: { status: 'OK' }, round: { reverts: 'unnamed' } })
    }
    expect(node.requests.map(blockOf)).toEqual(['latest'])
    for (const { address } of mainnet) await misbehave(chain.rpcUrl, address, method, 'behave')
  },
)

test.each(mainnet.map((_, index) => index))(
  'when feed %i exhausts its gas, it alone is unreadable, after at most 9 requests at one block (D1, D2, D18)',
  async index => {
    await setCode((mainnet[index] ?? first).address, endless)
    await using node = await startProxyNode(chain.rpcUrl)
    const { head, reads } = await read(mainnet, node.url.href)
    expect(reads.map(({ feed }) => feed)).toEqual(mainnet)
    expect(statusesOf({ reads })).toEqual(allBut(index, 'unreadable'))
    expect(node.requests.length).toBeLessThanOrEqual(9)
    const tags = new Set(node.requests.map(blockOf))
    expect(tags).toEqual(new Set(['latest', numberToHex(head.block)]))
  },
)

/** Calls a contract that exhausts 63/64 of the gas (EIP-150), and ignores its failure. */
const callEndless = '600060006000600061bbbb5afa50'
/** Uses a million gas and returns five words of zero: PUSH3 40960, and 26 gas for each iteration of the countdown. */
const hungry: Hex = '0x6200a0005b600190038060045760a06000f3'
/** Returns `No data` if less than a million gas is left, else `OK`: GAS, PUSH3, LT, PUSH1, MUL. */
const starvable: Hex = '0x620f42405a106006026000526001602052600160405260a06000f3'

test.each<[string, Hex, string]>([
  ['returns No data', `0x${callEndless}600660005260a06000f3`, 'No data'],
  ['reverts with FeedUnavailable', `0x${callEndless}63e3f18fa860e01b60005260046000fd`, 'unreadable'],
])('a feed after one that exhausts the gas and %s is read again (D2)', async (_, bytecode, status) => {
  await setCode(numberToHex(0xbbbb, { size: 20 }), '0xfe')
  await setCode(first.address, bytecode)
  await setCode(second.address, hungry)
  const others = mainnet.slice(2)
  expect(statusesOf(await read([second]))).toEqual(['OK'])
  expect(statusesOf(await read([first, second]))).toEqual([status, 'OK'])
  expect(statusesOf(await read([first, ...others, second]))).toEqual([status, ...all(others.length + 1, 'OK')])
  expect(statusesOf(await read([...others, first, second]))).toEqual([...all(others.length, 'OK'), status, 'OK'])
})

test('a feed that returns a false status for lack of gas is read again (D2)', async () => {
  await setCode(numberToHex(0xbbbb, { size: 20 }), '0xfe')
  await setCode(first.address, `0x${callEndless}600660005260a06000f3`)
  for (const { address } of mainnet.slice(1)) await setCode(address, starvable)
  expect(statusesOf(await read([second]))).toEqual(['OK'])
  expect(statusesOf(await read())).toEqual(allBut(0, 'No data'))
})

/** Returns or reverts with zeros: PUSH3, PUSH1 0, and the opcode. */
const zeros = (bytes: number, opcode: 'f3' | 'fd'): Hex => `0x62${bytes.toString(16).padStart(6, '0')}6000${opcode}`

test.each([
  ['returns 200 kB', zeros(200_000, 'f3')],
  ['reverts with 200 kB', zeros(200_000, 'fd')],
  ['reverts with 800 kB, nearly the most that 50 million gas can return', zeros(800_000, 'fd')],
])('when a feed %s, it alone is unreadable (D2, D18)', async (_, bytecode) => {
  await setCode(second.address, bytecode)
  expect(statusesOf(await read([second]))).toEqual(['unreadable'])
  expect(statusesOf(await read())).toEqual(allBut(1, 'unreadable'))
})

test('a call is divided only if it may be, and only if one feed may be the cause (D24)', async () => {
  let status = 200
  await using node = await startFaultyNode((response, body) =>
    response.writeHead(status).end(toErrorReply(body, -32_000)),
  )
  const url = node.url
  await expect(readEndpoint(url, toRequest(mainnet), false, limits())).rejects.toMatchObject({ kind: 'rpc-error' })
  expect(node.requests).toHaveLength(1)
  await expect(read([first], url.href)).rejects.toMatchObject({ kind: 'rpc-error' })
  expect(node.requests).toHaveLength(2)
  // 21, 11, 6, 3, 2 and 1 feeds.
  await expect(read(mainnet, url.href)).rejects.toMatchObject({ kind: 'rpc-error' })
  expect(node.requests).toHaveLength(8)
  status = 502
  await expect(read(mainnet, url.href)).rejects.toMatchObject({ kind: 'http-status' })
  expect(node.requests).toHaveLength(9)
})

test('a pool in which every second node lacks the block is asked until a node has it (D2, D17)', async () => {
  let asked = 0
  await using pool = await startFaultyNode(async (response, body) => {
    asked += 1
    const isBehind = blockOf(body) !== 'latest' && asked % 2 === 0
    response.end(countFeeds(body) > 11 || isBehind ? toErrorReply(body, -32_000) : await forward(chain.rpcUrl, body))
  })
  for (const turn of [0, 1]) {
    asked = turn
    expect(statusesOf(await read(mainnet.slice(0, 12), pool.url.href))).toEqual(all(12, 'OK'))
  }
})

test('a node that lacks the block is asked for it four times, 100 ms apart (D2, D24)', async () => {
  const times: number[] = []
  await using behind = await startFaultyNode(async (response, body) => {
    const isPinned = blockOf(body) !== 'latest'
    if (isPinned) times.push(performance.now())
    // Two feeds in one call fail, so the second is read at the block of the first.
    const fails = isPinned || countFeeds(body) > 1
    response.end(fails ? toErrorReply(body, -32_000) : await forward(chain.rpcUrl, body))
  })
  await expect(read([first, second], behind.url.href)).rejects.toEqual(new Fault('rpc-error', { rpcCode: -32_000 }))
  expect(behind.requests.map(body => blockOf(body) === 'latest')).toEqual([true, true, false, false, false, false])
  for (const [index, time] of times.slice(1).entries()) expect(time - (times[index] ?? 0)).toBeGreaterThan(95)
})

test('the end of the read ends the pause before a pinned retry, and no request follows (D24)', async () => {
  const over = new AbortController()
  const order: string[] = []
  let later: Promise<void> | undefined
  await using behind = await startFaultyNode(async (response, body) => {
    const isPinned = blockOf(body) !== 'latest'
    const fails = isPinned || countFeeds(body) > 1
    response.end(fails ? toErrorReply(body, -32_000) : await forward(chain.rpcUrl, body))
    if (!isPinned) return
    // In the middle of the pause, which lasts 100 ms.
    await sleep(20)
    over.abort()
    later = sleep(40).then(() => void order.push('40 ms later'))
  })
  let counted = 0
  const countRequest = () => void counted++
  const outcome = readEndpoint(behind.url, toRequest([first, second]), true, { signal: over.signal, countRequest })
  await expect(outcome.finally(() => order.push('the read ends'))).rejects.toEqual(new Fault('timeout'))
  await later
  expect(order).toEqual(['the read ends', '40 ms later'])
  expect(counted).toBe(3)
  expect(behind.requests).toHaveLength(3)
})

test('a list whose reply is too large is divided (D2, D24)', async () => {
  await using node = await startFaultyNode(async (response, body) =>
    response.end(countFeeds(body) > 11 ? ' '.repeat(4_194_305) : await forward(chain.rpcUrl, body)),
  )
  expect(statusesOf(await read(mainnet, node.url.href))).toEqual(all(mainnet.length, 'OK'))
})

test('a pinned call answered at the same block number but another time is the fault wrong-block (D17)', async () => {
  const reading = await readCall(new URL(chain.rpcUrl), toRequest([first]), undefined, limits())
  const again = (after: Reading) => readCall(new URL(chain.rpcUrl), toRequest([first]), after, limits())
  expect((await again(reading)).head.block).toBe(reading.head.block)
  await expect(again({ ...reading, blockTime: reading.blockTime - 1 })).rejects.toEqual(new Fault('wrong-block'))
})

test('three feeds that exhaust their gas are over-budget after 12 requests to the endpoint (D17)', async () => {
  for (const { address } of [first, third, mainnet.at(-1) ?? second]) await setCode(address, endless)
  await using node = await startProxyNode(chain.rpcUrl)
  const { take } = createRequestBudget()
  const countRequest = () => take({ rpcUrl: node.url, index: 0 })
  const outcome = readEndpoint(node.url, toRequest(mainnet), true, { ...limits(), countRequest })
  await expect(outcome).rejects.toEqual(new Fault('over-budget'))
  expect(node.requests).toHaveLength(12)
})
