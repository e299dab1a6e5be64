import { type Address, createPublicClient, http } from 'viem'
import { robinhood } from 'viem/chains'
import { addresses, feedAbi, toJson } from './feeds.ts'
import { loadRpcUrl } from './inputs.ts'

let client: ReturnType<typeof createClient> | undefined

/** Reads with viem's public client, which sends the calls of a read as one JSON-RPC batch. */
export async function handler() {
  client ??= createClient(await loadRpcUrl())
  const { getBlockNumber, readContract } = client
  const readFeed = (address: Address) =>
    Promise.all([
      readContract({ address, abi: feedAbi, functionName: 'latestDetail' }),
      // It may revert.
      readContract({ address, abi: feedAbi, functionName: 'latestRoundData' }).catch(() => null),
    ])
  // By default viem caches the block number for up to four seconds.
  const block = getBlockNumber({ cacheTime: 0 })
  return { statusCode: 200, body: toJson(await Promise.all([block, ...addresses.map(readFeed)])) }
}

function createClient(rpcUrl: string) {
  return createPublicClient({ chain: robinhood, transport: http(rpcUrl, { batch: true }) })
}
