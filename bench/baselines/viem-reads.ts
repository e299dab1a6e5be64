import { createPublicClient, type Hex, http, isHex } from 'viem'
import { robinhood } from 'viem/chains'
import { feedAbi } from '../../lambda/chain/abis.ts'

/**
 * The usual way: viem's public client, which reads both functions and the block's number side by side, for each feed.
 *
 * A feed that refuses to serve is no failure.
 *
 * @param multicall whether the client may put reads together, which it does not by itself
 */
export function viemReads(rpcUrl: string, feeds: readonly string[], multicall: boolean): () => Promise<string> {
  const client = createPublicClient({
    chain: robinhood,
    transport: http(rpcUrl, { retryCount: 0 }),
    // The block of now, and not one of up to four seconds ago.
    cacheTime: 0,
    ...(multicall ? { batch: { multicall: true } } : {}),
  })
  const addresses = feeds.map(toHex)
  const readFeed = async (address: Hex) => {
    const [detail, round, block] = await Promise.allSettled([
      client.readContract({ address, abi: feedAbi, functionName: 'latestDetail' }),
      client.readContract({ address, abi: feedAbi, functionName: 'latestRoundData' }),
      client.getBlockNumber(),
    ])
    if (detail.status === 'rejected') throw detail.reason
    if (block.status === 'rejected') throw block.reason
    return { detail: detail.value, round: round.status === 'fulfilled' ? round.value : null, block: block.value }
  }
  return async () =>
    JSON.stringify(await Promise.all(addresses.map(readFeed)), (_, value) =>
      typeof value === 'bigint' ? value.toString() : value,
    )
}

function toHex(text: string): Hex {
  if (!isHex(text)) throw new Error(`${text} is no address.`)
  return text
}
