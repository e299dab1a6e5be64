import { createPublicClient, custom, type Hex, parseAbi } from 'viem'
import { robinhood } from 'viem/chains'
import { ethCall } from '../../lambda/chain/eth-call.ts'
import { attemptMs } from '../../lambda/timing.ts'
import { addresses, feedAbi, toJson } from './feeds.ts'
import { loadRpcUrl } from './inputs.ts'

const arbSys = {
  address: '0x0000000000000000000000000000000000000064',
  abi: parseAbi(['function arbBlockNumber() view returns (uint256)']),
  functionName: 'arbBlockNumber',
} as const

const feedCalls = addresses.flatMap(address => [
  { address, abi: feedAbi, functionName: 'latestDetail' } as const,
  { address, abi: feedAbi, functionName: 'latestRoundData' } as const,
])

let client: ReturnType<typeof createClient> | undefined

/** Reads with viem's multicall, which sends its own contract, through the service's `eth_call`. */
export async function handler() {
  client ??= createClient(await loadRpcUrl())
  const contracts = [arbSys, ...feedCalls]
  const results = await client.multicall({ contracts, deployless: true })
  const failed = results.find((result, index) => {
    return result.status === 'failure' && contracts[index]?.functionName !== 'latestRoundData'
  })
  if (failed !== undefined) throw failed.error
  return { statusCode: 200, body: toJson(results.map(({ result }) => result)) }
}

function createClient(rpcUrl: string) {
  const url = new URL(rpcUrl)
  const request = ({ params: [{ data }] }: { readonly params: readonly [{ readonly data: Hex }] }) =>
    ethCall(url, data, 'latest', AbortSignal.timeout(attemptMs))
  return createPublicClient({ chain: robinhood, transport: custom({ request }) })
}
