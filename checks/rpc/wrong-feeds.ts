import { createPublicClient, custom, decodeFunctionResult, type Hex, multicall3Abi, parseAbi } from 'viem'
import { ethCall } from '../../lambda/chain/eth-call.ts'
import { Fault } from '../../lambda/faults.ts'
import type { Feed } from '../../lambda/feeds/registry.ts'
import { attemptMs } from '../../lambda/timing.ts'
import { repeatAfterRateLimit } from './repeat-after-rate-limit.ts'

const abi = parseAbi([
  'function token() view returns (address)',
  'function description() view returns (string)',
  'function maxAge() view returns (uint32)',
  'function allowMarketClosed() view returns (bool)',
])

/** What the contract of each registered feed returns. A description begins with the symbol, as `CRWD / USD (…)`. */
const expectations: Readonly<Record<(typeof abi)[number]['name'], (returned: unknown, feed: Feed) => boolean>> = {
  token: (returned, { token }) => returned === token,
  description: (returned, { symbol }) => typeof returned === 'string' && returned.split(' ')[0] === symbol,
  maxAge: (returned, { maxAgeSeconds }) => returned === maxAgeSeconds,
  allowMarketClosed: returned => returned === true,
}

/** A reply is the return value of init code, which has at most 24,576 bytes (EIP-170): enough for 33 feeds. */
export const feedsPerRequest = 30

/**
 * Finds the feeds whose contracts differ from the registry, at the latest block of an endpoint.
 *
 * @returns for each of them its symbol, and the functions that return another value or none; or the fault of an
 *   endpoint that fails or returns no valid reply
 */
export async function findWrongFeeds(rpcUrl: URL, feeds: readonly Feed[]): Promise<readonly string[] | Fault> {
  const wrong: string[] = []
  for (let index = 0; index < feeds.length; index += feedsPerRequest) {
    const wrongInRequest = await repeatAfterRateLimit(() =>
      findInRequest(rpcUrl, feeds.slice(index, index + feedsPerRequest)),
    )
    if (wrongInRequest instanceof Fault) return wrongInRequest
    wrong.push(...wrongInRequest)
  }
  return wrong
}

async function findInRequest(rpcUrl: URL, feeds: readonly Feed[]): Promise<readonly string[]> {
  const calls = feeds.flatMap(feed => abi.map(({ name }) => ({ feed, name })))
  const failures: unknown[] = []
  /**
   * Sends viem's request as a read of the functions sends it. viem reports one failed request as a failure of each
   * call, so the first error is remembered, and thrown below.
   */
  const request = async ({ params: [{ data }] }: { params: [{ data: Hex }] }) => {
    try {
      const output = await ethCall(rpcUrl, data, 'latest', AbortSignal.timeout(attemptMs))
      if (countResults(output) !== calls.length) throw new Fault('malformed-result')
      return output
    } catch (error) {
      failures.push(error)
      throw error
    }
  }
  const client = createPublicClient({ ccipRead: false, transport: custom({ request }, { retryCount: 0 }) })
  const contracts = calls.map(({ feed, name }) => ({ address: feed.address, abi, functionName: name }))
  const returned = await client.multicall({ contracts, deployless: true, batchSize: 0 })
  if (failures.length > 0) throw failures[0]
  const wrong = calls.filter(({ feed, name }, index) => !expectations[name](returned[index]?.result, feed))
  return [...Map.groupBy(wrong, ({ feed }) => feed.symbol)].map(
    ([symbol, ofFeed]) => `${symbol} (${ofFeed.map(({ name }) => `${name}()`).join(', ')})`,
  )
}

/**
 * Counts the results in an output. Returns undefined if it cannot be decoded, which viem takes for a failure of each
 * call.
 */
function countResults(data: Hex): number | undefined {
  try {
    return decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data }).length
  } catch {
    return undefined
  }
}
