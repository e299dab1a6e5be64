import { numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { readCall } from '../../lambda/chain/read-call.ts'
import { startChain, toChainKind } from '../../local/chains/chains.ts'
import { toStandInFeeds } from '../../local/chains/stand-in-feeds.ts'
import { forward, startProxyNode } from './faulty-node.ts'

/** Nitro's default for `eth_call`. @see https://docs.arbitrum.io/run-arbitrum-node/run-full-node */
const gasCap = 50_000_000

/**
 * What a real feed uses beyond a stand-in feed, estimated generously and not measured: it also calls its token and its price source.
 *
 * The feed, its token and its price source are a proxy and an implementation each. Slots hold the proxies' pointers, the quote, the
 * multiplier and its schedule, the pause and the configuration. The second of its two calls finds all of them warm.
 *
 * @see https://eips.ethereum.org/EIPS/eip-2929
 */
const realFeedGas = (() => {
  const [accounts, slots, code] = [6, 20, 10_000]
  return accounts * 2_600 + slots * 2_100 + (accounts + slots) * 100 + code
})()

const feeds = Array.from({ length: 100 }, (_, index) => ({
  symbol: `G${index}`,
  address: numberToHex(0x10000 + index, { size: 20 }),
  token: numberToHex(0x20000 + index, { size: 20 }),
}))

/** Finds the lowest gas limit at which a call returns the same as at the cap, to 10,000 gas. */
async function findLeastGas(rpcUrl: string, body: string): Promise<number> {
  const { params, ...envelope } = JSON.parse(body)
  const callWith = async (gas: number): Promise<unknown> => {
    const call = { ...params[0], gas: numberToHex(gas) }
    return JSON.parse(await forward(rpcUrl, JSON.stringify({ ...envelope, params: [call, params[1]] }))).result
  }
  const whole = await callWith(gasCap)
  expect(whole).toMatch(/^0x/)
  let [tooLittle, enough] = [0, gasCap]
  while (enough - tooLittle > 10_000) {
    const middle = Math.floor((tooLittle + enough) / 2)
    if ((await callWith(middle)) === whole) enough = middle
    else tooLittle = middle
  }
  return enough
}

test('100 real feeds in one call take 18.3 million gas on paper, of a cap of 50 million (README)', async () => {
  const chain = await startChain({ ...toChainKind('testnet'), feeds: toStandInFeeds('mainnet', feeds, 1_790_000_000) })
  try {
    await using node = await startProxyNode(chain.rpcUrl)
    const request = { network: 'testnet', feeds } as const
    const limits = { signal: AbortSignal.timeout(10_000), countRequest: () => {} }
    const { reads } = await readCall(node.url, request, undefined, limits)
    expect(reads.filter(({ reading }) => 'unreadable' in reading)).toEqual([])
    // Of these, 8.4 million are for the probe that proves that no feed lacked gas, at its price since Osaka.
    const standInGas = await findLeastGas(chain.rpcUrl, node.requests[0] ?? '')
    expect(realFeedGas).toBe(70_200)
    expect(((standInGas + 100 * realFeedGas) / 1e6).toFixed(1)).toBe('18.3')
    // Even at three times the estimate.
    expect(standInGas + 300 * realFeedGas).toBeLessThan(gasCap)
  } finally {
    await chain.stop()
  }
})
