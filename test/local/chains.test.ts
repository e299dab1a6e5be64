import { createPublicClient, encodeErrorResult, type Hex, http, type PublicClient, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import registry from '../../lambda/feeds/registry.json' with { type: 'json' }
import { type Chain, startChain, toChainKind } from '../../local/chains.ts'
import {
  misbehave,
  multicall3Address,
  onChainStatuses,
  type StandInFeed,
  setStandInFeeds,
} from '../../local/stand-in-feed.ts'
import { toStandInFeeds } from '../../local/stand-in-feeds.ts'

const startedAt = Math.floor(Date.now() / 1000)
const feeds = {
  mainnet: toStandInFeeds('mainnet', registry.mainnet, startedAt),
  testnet: toStandInFeeds('testnet', registry.testnet, startedAt),
}
const [example] = feeds.testnet as [StandInFeed]
const arbSys = '0x0000000000000000000000000000000000000064'

const feedAbi = parseAbi([
  'struct Quote { uint8 status; int256 answer; uint64 observedAt; }',
  'function latestDetail() view returns (Quote quote, int256 sharePrice, uint256 multiplier)',
  'function latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)',
  'function getRoundData(uint80) view returns (uint80, int256, uint256, uint256, uint80)',
  'function decimals() view returns (uint8)',
  'function token() view returns (address)',
  'error FeedUnavailable(uint8 status)',
  'error NoHistory()',
])
const blockAbi = parseAbi([
  'function arbBlockNumber() view returns (uint256)',
  'function getBlockNumber() view returns (uint256)',
  'function getCurrentBlockTimestamp() view returns (uint256)',
  'function getChainId() view returns (uint256)',
])

let chains: { mainnet: Chain; testnet: Chain }
let clients: { mainnet: PublicClient; testnet: PublicClient }

beforeAll(async () => {
  const [mainnet, testnet] = await Promise.all([
    startChain({ ...toChainKind('mainnet'), feeds: feeds.mainnet }),
    startChain({ ...toChainKind('testnet'), feeds: feeds.testnet }),
  ])
  chains = { mainnet, testnet }
  const clientOf = ({ rpcUrl }: Chain) => createPublicClient({ transport: http(rpcUrl), cacheTime: 0 })
  clients = { mainnet: clientOf(mainnet), testnet: clientOf(testnet) }
}, 60_000)

afterAll(() => Promise.all([chains.mainnet.stop(), chains.testnet.stop()]))

test.each(['mainnet', 'testnet'] as const)('every feed of the %s has the state that it was given', async network => {
  const states = feeds[network].map(({ address }) => readFeed(clients[network], address))
  expect(await Promise.all(states)).toEqual(
    feeds[network].map(feed => ({
      detail: [
        { status: onChainStatuses.indexOf(feed.status), answer: feed.answer, observedAt: BigInt(feed.observedAt) },
        feed.sharePrice,
        feed.multiplier,
      ],
      round: toRound(feed),
      decimals: 8,
      token: feed.token,
    })),
  )
})

test('a feed without data returns zeros, whatever its state', async () => {
  await setStandInFeeds(chains.testnet.rpcUrl, [{ ...example, status: 'NO_DATA' }])
  const { detail } = await readFeed(clients.testnet, example.address)
  expect(detail).toEqual([{ status: 6, answer: 0n, observedAt: 0n }, 0n, 0n])
  await setStandInFeeds(chains.testnet.rpcUrl, [example])
})

test('many feeds are set in one block', async () => {
  const before = await clients.mainnet.getBlockNumber()
  await setStandInFeeds(chains.mainnet.rpcUrl, feeds.mainnet)
  expect((await clients.mainnet.getBlockNumber()) - before).toBeLessThanOrEqual(2n)
})

test.each<[string, { return: Hex } | { revert: Hex }, string]>([
  ['returns any bytes', { return: '0x1234' }, 'returned 0x1234'],
  ['returns nothing', { return: '0x' }, 'returned 0x'],
  [
    'reverts with any bytes',
    { revert: encodeErrorResult({ abi: feedAbi, errorName: 'NoHistory' }) },
    'reverted 0xc4e5ad09',
  ],
  ['reverts with nothing', { revert: '0x' }, 'reverted 0x'],
])('a misbehaving feed %s, until it is set to behave', async (_, manner, ending) => {
  const usual = await endingOf('latestDetail')
  await misbehave(chains.testnet.rpcUrl, example.address, 'latestDetail()', manner)
  expect(await endingOf('latestDetail')).toBe(ending)
  expect(await endingOf('latestRoundData')).toMatch(/^returned 0x[0-9a-f]{320}$/)
  await misbehave(chains.testnet.rpcUrl, example.address, 'latestDetail()', 'behave')
  expect(await endingOf('latestDetail')).toBe(usual)
})

test('a feed has no history', async () => {
  const client = clients.testnet
  const round = client.readContract({
    abi: feedAbi,
    address: example.address,
    functionName: 'getRoundData',
    args: [1n],
  })
  await expect(round).rejects.toMatchObject({ cause: { data: { errorName: 'NoHistory' } } })
})

test.each(['mainnet', 'testnet'] as const)(
  'a call on the %s reads the head from ArbSys, and another number from Multicall3',
  async network => {
    const client = clients[network]
    const { number, timestamp, gasLimit } = await client.getBlock()
    const at = { abi: blockAbi, blockNumber: number } as const
    const multicall3 = { ...at, address: multicall3Address } as const
    expect({
      gasLimit,
      chainId: await client.readContract({ ...multicall3, functionName: 'getChainId' }),
      timestamp: await client.readContract({ ...multicall3, functionName: 'getCurrentBlockTimestamp' }),
      block: await client.readContract({ ...at, address: arbSys, functionName: 'arbBlockNumber' }),
      onEthereum: await client.readContract({ ...multicall3, functionName: 'getBlockNumber' }),
    }).toEqual({
      gasLimit: 50_000_000n,
      chainId: BigInt(toChainKind(network).chainId),
      timestamp,
      block: number,
      onEthereum: number / 3n,
    })
    expect(number).toBeGreaterThan(toChainKind(network).firstBlock)
  },
)

test('a block 60 blocks behind the head can be read', async () => {
  for (let i = 0; i < 70; i++) await setStandInFeeds(chains.testnet.rpcUrl, [example])
  const blockNumber = (await clients.testnet.getBlockNumber()) - 60n
  const read = { abi: blockAbi, address: arbSys, functionName: 'arbBlockNumber', blockNumber } as const
  expect(await clients.testnet.readContract(read)).toBe(blockNumber)
})

test('the mainnet makes blocks without transactions, an idle testnet makes none', async () => {
  const busy = await startChain({ ...toChainKind('mainnet'), blockTimeSeconds: 1, feeds: [] })
  const client = createPublicClient({ transport: http(busy.rpcUrl), cacheTime: 0 })
  const numbers = () => Promise.all([client.getBlockNumber(), clients.testnet.getBlockNumber()])
  const before = await numbers()
  await expect.poll(() => client.getBlockNumber(), { timeout: 10_000 }).toBeGreaterThan(before[0] + 1n)
  expect((await numbers())[1]).toBe(before[1])
  await busy.stop()
}, 30_000)

async function readFeed(client: PublicClient, address: Hex) {
  const feed = { abi: feedAbi, address } as const
  return {
    detail: await client.readContract({ ...feed, functionName: 'latestDetail' }),
    round: await client.readContract({ ...feed, functionName: 'latestRoundData' }).catch(error => error.cause.data),
    decimals: await client.readContract({ ...feed, functionName: 'decimals' }),
    token: await client.readContract({ ...feed, functionName: 'token' }),
  }
}

function toRound({ status, answer, observedAt, servesWhenClosed }: StandInFeed) {
  const at = BigInt(observedAt)
  const serves = status === 'OK' || (status === 'MARKET_CLOSED' && servesWhenClosed)
  if (serves) return [at, answer, at, at, at]
  return expect.objectContaining({ errorName: 'FeedUnavailable', args: [onChainStatuses.indexOf(status)] })
}

/** Calls a function of the example through Multicall3, and returns how it ended. */
async function endingOf(functionName: 'latestDetail' | 'latestRoundData'): Promise<string> {
  const abi = parseAbi([
    'struct Call3 { address target; bool allowFailure; bytes callData; }',
    'struct Result { bool success; bytes returnData; }',
    'function aggregate3(Call3[] calls) payable returns (Result[])',
  ])
  const callData = functionName === 'latestDetail' ? '0x4d8b59fb' : '0xfeaf968c'
  const args = [[{ target: example.address, allowFailure: true, callData }]] as const
  const { result } = await clients.testnet.simulateContract({
    abi,
    address: multicall3Address,
    functionName: 'aggregate3',
    args,
  })
  return `${result[0]?.success ? 'returned' : 'reverted'} ${result[0]?.returnData}`
}
