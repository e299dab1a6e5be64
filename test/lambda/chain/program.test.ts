import { readFileSync } from 'node:fs'
import { createTestClient, type Hex, http, numberToHex, publicActions } from 'viem'
import { foundry } from 'viem/chains'
import { afterAll, describe, expect, test } from 'vitest'
import { maxFeeds } from '../../../api/schemas/find-registry-errors.ts'
import { ethCall } from '../../../lambda/chain/eth-call.ts'
import { encodeProgram, program, rowAt, splitOutput } from '../../../lambda/chain/program.ts'
import { readEndpoint } from '../../../lambda/chain/read-endpoint.ts'
import type { Fault, FaultKind } from '../../../lambda/faults.ts'
import { toPriceRecord } from '../../../lambda/feeds/price-record.ts'
import type { ChainReading } from '../../../lambda/feeds/reading.ts'
import type { Feed } from '../../../lambda/feeds/registry.ts'
import { startChain, toChainKind } from '../../../local/chains/chains.ts'
import { setStandInFeeds } from '../../../local/chains/stand-in-feed.ts'
import { toStandInFeeds } from '../../../local/chains/stand-in-feeds.ts'
import { compileYul } from '../../support/chain/compile.ts'
import { startProxyNode } from '../../support/chain/faulty-node.ts'

const feeds: readonly Feed[] = Array.from({ length: maxFeeds + 1 }, (_, index) => ({
  symbol: `G${index}`,
  name: 'G',
  // Calldata costs more gas for a byte that is not zero.
  address: numberToHex(2n ** 160n - 1n - BigInt(index)),
  token: numberToHex(0x20000 + index, { size: 20 }),
  maxAgeSeconds: 1,
}))
const addresses = feeds.map(({ address }) => address)

const standIns = toStandInFeeds('generated', feeds, Math.floor(Date.now() / 1_000))
const chain = await startChain({ ...toChainKind('testnet'), feeds: standIns })
afterAll(() => chain.stop())

const anvil = createTestClient({ chain: foundry, mode: 'anvil', transport: http(chain.rpcUrl) }).extend(publicActions)
const rpcUrl = new URL(chain.rpcUrl)
const read = (some: readonly Feed[], url: URL) =>
  readEndpoint(url, { network: 'testnet', feeds: some }, new AbortController().signal)
const callWith = (count: number) =>
  ethCall(rpcUrl, encodeProgram(addresses.slice(0, count)), 'latest', new AbortController().signal)

test('the bytecode is that of the source', () => {
  const source = readFileSync(new URL('../../../lambda/chain/program.yul', import.meta.url), 'utf8')
  const optimizer = { enabled: true, runs: 1, details: { yul: true } }
  expect(compileYul(source, { evmVersion: 'paris', optimizer })).toBe(program)
})

test('one call returns as many feeds as a network may have, and no more (EIP-170)', async () => {
  const { rows } = splitOutput(await callWith(maxFeeds), maxFeeds)
  expect(rowAt(rows, maxFeeds - 1)).toMatch(/[^0]/)
  await expect(callWith(maxFeeds + 1)).rejects.toMatchObject({ kind: 'rpc-error' })
})

test('status and latestRoundData() are of one block while the feed changes all the time (D1)', async () => {
  // Other tests replace the code of the first feeds.
  const standIn = standIns.at(-1)
  if (standIn === undefined) throw new Error('No feed')
  let isChanging = true
  const change = async () => {
    for (let changes = 0; isChanging; changes += 1) {
      await setStandInFeeds(chain.rpcUrl, [{ ...standIn, status: changes % 2 === 0 ? 'Stale' : 'OK' }])
    }
  }
  const changed = change()
  const blocks = { OK: new Set<number>(), Stale: new Set<number>() }
  while (blocks.OK.size < 50 || blocks.Stale.size < 50) {
    const record = await readLastFeed()
    if (record === undefined) continue
    const { status, servesLatestRoundData, latestRoundDataReverts, block } = record
    expect(servesLatestRoundData).toBe(status === 'OK')
    expect(latestRoundDataReverts).toBe(status === 'OK' ? undefined : 'FeedUnavailable')
    expect(['OK', 'Stale']).toContain(status)
    blocks[status as 'OK' | 'Stale'].add(block)
  }
  isChanging = false
  await changed
})

/**
 * Reads the last feed. Undefined for an error, which anvil rarely returns for the latest block while it makes the next.
 */
async function readLastFeed() {
  const reading = await read(feeds.slice(-1), rpcUrl).catch(error => expect(error).toMatchObject({ kind: 'rpc-error' }))
  if (reading === undefined) return undefined
  const [feed] = reading.feeds
  if (feed === undefined || 'unreadable' in feed) throw new Error('The feed was not read')
  return toPriceRecord(feed, reading)
}

/** Nitro's default gas cap of an `eth_call`. @see https://docs.arbitrum.io/run-arbitrum-node/run-full-node */
const gasCap = 50_000_000

/** Finds what a node returns that gives a call this much gas: the feeds, or its fault. */
async function readWithGas(count: number, gas: number): Promise<ChainReading['feeds'] | FaultKind> {
  await using node = await startProxyNode(chain.rpcUrl, request => {
    const { params, ...envelope } = JSON.parse(request)
    return JSON.stringify({ ...envelope, params: [{ ...params[0], gas: numberToHex(gas) }, params[1]] })
  })
  return await read(feeds.slice(0, count), node.url).then(
    reading => reading.feeds,
    (error: Fault) => error.kind,
  )
}

/** Finds the least gas with which feeds are read, to 1,000 gas. */
async function findLeastGas(count: number): Promise<number> {
  let [tooLittle, enough] = [0, gasCap]
  while (enough - tooLittle > 1_000) {
    const middle = Math.floor((tooLittle + enough) / 2)
    if ((await readWithGas(count, middle)) === 'rpc-error') tooLittle = middle
    else enough = middle
  }
  return enough
}

/** A feed that returns `No data` when its price source runs out of gas, which takes 200,000. */
const heavyFeed = compileYul(
  `object "Feed" {
    code {
      if iszero(calldatasize()) {
        if lt(gas(), 200000) { invalid() }
        for { let end := sub(gas(), 200000) } gt(gas(), end) {} {}
        return(0, 0)
      }
      switch staticcall(gas(), address(), 0, 0, 0, 0)
      case 0 { mstore(0, 6) }
      default { mstore(32, 100) mstore(64, 1700000000) mstore(96, 100) mstore(128, 1000000000000000000) }
      return(0, 160)
    }
  }`,
  { evmVersion: 'paris' },
)

const heavyReading = {
  detail: { status: 'OK', answer: 100n, observedAt: 1_700_000_000, sharePrice: 100n, multiplier: 10n ** 18n },
  roundData: { answer: 100n },
}

/** A feed that uses all of its gas: INVALID. */
const burner: Hex = '0xfe'

test.each([
  [23, 2 ** 24, true],
  [24, 2 ** 24, false],
  [58, 40_100_000, true],
  [58, 40_000_000, false],
])('for %i feeds that use all of their gas, %i gas are enough: %s (D17)', async (count, gas, isEnough) => {
  for (const address of addresses.slice(0, count)) await anvil.setCode({ address, bytecode: burner })
  const read = await readWithGas(count, gas)
  expect(isEnough ? read.length : read).toBe(isEnough ? count : 'rpc-error')
})

describe.each([1, 21, 58])('%i feeds', count => {
  test.each([
    ['above a heavy price source, which return `No data` with too little gas,', heavyFeed],
    ['that use all of their gas', burner],
  ])('%s are the same with any gas, or the endpoint has a fault (D2)', async (_, bytecode) => {
    for (const address of addresses.slice(0, count)) await anvil.setCode({ address, bytecode })
    const all = await readWithGas(count, gasCap)
    expect(all).toEqual(
      feeds.slice(0, count).map(feed => ({
        feed,
        ...(bytecode === heavyFeed
          ? heavyReading
          : { hasCode: true, unreadable: 'latestDetail() reverted or ran out of gas' }),
      })),
    )
    const least = await findLeastGas(count)
    const below = [0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97].map(part => Math.floor(part * least))
    for (const gas of [...below, least - 2_000]) expect(await readWithGas(count, gas)).toBe('rpc-error')
    const above = [1.001, 1.01, 1.03, 1.1, 1.2].map(part => Math.min(gasCap, Math.ceil(part * least)))
    for (const gas of [least, least + 500, ...above]) expect(await readWithGas(count, gas)).toEqual(all)
  })
})

const arbSys = numberToHex(0x64, { size: 20 })
const arbSysCode = (await anvil.getCode({ address: arbSys })) ?? '0x'

test.each<[string, Hex]>([
  ['none', '0x'],
  ['one that reverts', '0x5f5ffd'],
  ['one that uses all of its gas', burner],
  ['one that returns 31 bytes', '0x601f5ff3'],
  ['one that returns 33 bytes', '0x60215ff3'],
])('without a working ArbSys (%s), the endpoint has a fault', async (_, bytecode) => {
  await anvil.setCode({ address: arbSys, bytecode })
  await expect(callWith(1)).rejects.toMatchObject({ kind: 'rpc-error' })
  await anvil.setCode({ address: arbSys, bytecode: arbSysCode })
  await expect(callWith(1)).resolves.toBeDefined()
})

test('the number of the block is that of ArbSys, the time and the chain id are those of the EVM', async () => {
  await anvil.mine({ blocks: 1 })
  const { number, timestamp } = await anvil.getBlock()
  const output = splitOutput(await callWith(1), 1)
  expect(output).toMatchObject({ chainId: 46_630, block: Number(number), blockTime: Number(timestamp) })
  // PUSH4 7654321, PUSH0, MSTORE, then return 32 bytes.
  await anvil.setCode({ address: arbSys, bytecode: '0x630074cbb15f5260205ff3' })
  expect(splitOutput(await callWith(1), 1)).toEqual({ ...output, block: 7_654_321 })
  await anvil.setCode({ address: arbSys, bytecode: arbSysCode })
})
