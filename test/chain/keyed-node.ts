import { type Address, decodeFunctionData, encodeFunctionResult, type Hex, multicall3Abi } from 'viem'
import { type Feed, feedsOf, type Network } from '../../lambda/feeds/registry.ts'
import { type FaultyNode, startFaultyNode, toReply } from './faulty-node.ts'

/** A node that answers truly to requests with its current key and refuses all others. */
export interface KeyedNode extends FaultyNode {
  /** Builds the RPC URL with a key, valid or not. */
  readonly toRpcUrl: (key: string) => string
  /** From now on this key alone is accepted. */
  readonly accept: (key: string) => void
}

/** The latest block of such a node. */
export const keyedBlock = 4_711

/** What a feed returns at such a node. No two feeds of a network return the same. */
export function toldOf(network: Network, feed: Feed) {
  const place = BigInt(feedsOf(network).indexOf(feed))
  const sharePrice = 5_000_000_001n + place
  return { answer: 2n * sharePrice, observedAt: 1_790_984_206n, sharePrice, multiplier: 2n * 10n ** 18n }
}

const chainIds = { mainnet: 4_663, testnet: 46_630 }
const toWords = (...values: readonly bigint[]): Hex =>
  `0x${values.map(value => value.toString(16).padStart(64, '0')).join('')}`
const encodeRows = (rows: readonly Hex[]): Hex =>
  encodeFunctionResult({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    result: rows.map(returnData => ({ success: true, returnData })),
  })

/** Returns what Multicall3 returns for a request to a network's chain, on which every feed has a price that is served. */
export function toTrueResult(network: Network, body: string, now = Math.floor(Date.now() / 1_000)): Hex {
  const head = [toWords(BigInt(chainIds[network])), toWords(BigInt(now)), toWords(BigInt(keyedBlock))]
  const { params }: { params: [{ data: Hex }] } = JSON.parse(body)
  const rows = parseCalls(params[0].data)
    .slice(head.length)
    .map(({ target, callData }) => (BigInt(target) === 5n ? toWords(0n) : toFeedRow(network, callData)))
  return encodeRows([...head, ...rows])
}

/** Starts a node of a network; it accepts no key yet. */
export async function startKeyedNode(network: Network): Promise<KeyedNode> {
  let accepted: string | undefined
  const node = await startFaultyNode((response, body) => {
    if (response.req.url !== `/${accepted}`) return void response.writeHead(401).end('unknown key')
    response.end(toReply(body, toTrueResult(network, body)))
  })
  return {
    ...node,
    toRpcUrl: key => `${node.url.origin}/${key}`,
    accept(key) {
      accepted = key
    },
  }
}

/** Encodes what the feed of both calls returns; no data for a feed that the network does not have. */
function toFeedRow(network: Network, callData: Hex): Hex {
  const address = parseCalls(callData)[0]?.target.toLowerCase()
  const feed = feedsOf(network).find(one => one.address.toLowerCase() === address)
  if (feed === undefined) return encodeRows(['0x', '0x'])
  const { answer, observedAt, sharePrice, multiplier } = toldOf(network, feed)
  const detail = toWords(0n, answer, observedAt, sharePrice, multiplier)
  return encodeRows([detail, toWords(1n, answer, observedAt, observedAt, 1n)])
}

function parseCalls(calldata: Hex): readonly { readonly target: Address; readonly callData: Hex }[] {
  const call = decodeFunctionData({ abi: multicall3Abi, data: calldata })
  return call.functionName === 'aggregate3' ? call.args[0] : []
}
