import http from 'node:http'
import https from 'node:https'
import { GetParametersCommand, SSMClient } from '@aws-sdk/client-ssm'
import { createPublicClient, type Hex, http as httpTransport, isHex, parseAbi } from 'viem'
import { robinhood } from 'viem/chains'

/** What a baseline returns, as a function of Lambda does. */
interface NodeReply {
  readonly statusCode: number
  readonly body: string
}

const feedAbi = parseAbi([
  'struct Quote { uint8 status; int256 answer; uint64 observedAt; }',
  'function latestDetail() view returns (Quote quote, int256 sharePrice, uint256 multiplier)',
  'function latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)',
])

/** Warm: makes `eth_call`s with `node:http` or `node:https`, one after another, and parses the replies. Checks nothing. */
export async function callWithHttp(rpcUrl: string, bodies: readonly string[]): Promise<void> {
  for (const body of bodies) JSON.parse((await post(rpcUrl, body)).body)
}

/**
 * Creates a reader that uses viem's public client in the usual way: both functions and the block number, in parallel for each feed.
 *
 * @param multicall whether viem combines reads into one call, with which it sends the code of a multicall contract
 */
export function createViemReader(rpcUrl: string, feeds: readonly string[], multicall: boolean) {
  const client = createPublicClient({
    chain: robinhood,
    transport: httpTransport(rpcUrl, { retryCount: 0 }),
    // By default viem caches the block number for up to four seconds.
    cacheTime: 0,
    ...(multicall ? { batch: { multicall: { deployless: true } } } : {}),
  })
  const readFeed = async (address: Hex) => {
    const [detail, round, block] = await Promise.allSettled([
      client.readContract({ address, abi: feedAbi, functionName: 'latestDetail' }),
      client.readContract({ address, abi: feedAbi, functionName: 'latestRoundData' }),
      client.getBlockNumber(),
    ])
    if (detail.status === 'rejected') throw detail.reason
    if (block.status === 'rejected') throw block.reason
    // latestRoundData() may revert.
    return { detail: detail.value, round: round.status === 'fulfilled' ? round.value : null, block: block.value }
  }
  const addresses = feeds.filter(feed => isHex(feed))
  return async () =>
    JSON.stringify(await Promise.all(addresses.map(readFeed)), (_, value) =>
      typeof value === 'bigint' ? value.toString() : value,
    )
}

/** Pure, so that a bundle without the client does not create it. */
const client = /* @__PURE__ */ new SSMClient()

async function loadRpcUrl(): Promise<string> {
  const names = [process.env['RPC_URLS_PARAMETER'] ?? '']
  const { Parameters = [] } = await client.send(new GetParametersCommand({ Names: names, WithDecryption: true }))
  return Parameters[0]?.Value ?? ''
}

/** Cold: the limit. The client loads the URL, and `node:http` makes the `eth_call`. Checks nothing. */
export async function clientAndHttp(): Promise<NodeReply> {
  return post(await loadRpcUrl(), process.env['ETH_CALL'] ?? '')
}

/** Cold: the usual program. The client loads the URL, and viem's public client reads the feed. */
export async function clientAndViem(): Promise<NodeReply> {
  const read = createViemReader(await loadRpcUrl(), [process.env['FEED'] ?? ''], false)
  return { statusCode: 200, body: await read() }
}

function post(url: string, body: string): Promise<NodeReply> {
  const headers = { 'Content-Type': 'application/json' }
  return new Promise((resolve, reject) => {
    const { request: send } = url.startsWith('https:') ? https : http
    const request = send(url, { method: 'POST', headers }, response => {
      let text = ''
      response.setEncoding('utf8').on('data', part => {
        text += part
      })
      response.on('end', () => resolve({ statusCode: response.statusCode ?? 0, body: text }))
    })
    request.on('error', reject).end(body)
  })
}
