import { type Address, decodeFunctionData, encodeFunctionResult, type Hex, multicall3Abi, numberToHex } from 'viem'
import { type Feed, feedsOf, type Network } from '../../lambda/feeds/registry.ts'
import { type SickNode, startSickNode, toReply } from './sick-node.ts'

/** A node that answers truly to whoever has its key of today, and refuses all others. */
export interface KeyedNode extends SickNode {
  /** Gives the RPC URL with a key, be it good or not. */
  readonly toRpcUrl: (key: string) => string
  /** From now on this key alone is good. */
  readonly accept: (key: string) => void
}

/** The block that such a node is at. */
export const keyedBlock = 4_711

/** What a feed says at such a node, which no two feeds of a network say alike. */
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

/** Starts a node of a network, with all its feeds; it accepts no key yet. */
export async function startKeyedNode(network: Network): Promise<KeyedNode> {
  let accepted: string | undefined
  const rows = new Map(feedsOf(network).map(feed => [feed.address.toLowerCase(), encodeFeed(network, feed)]))
  const node = await startSickNode((response, body) => {
    if (response.req.url !== `/${accepted}`) return void response.writeHead(401).end('unknown key')
    const now = numberToHex(Math.floor(Date.now() / 1_000), { size: 32 })
    const head = [toWords(BigInt(chainIds[network])), now, toWords(BigInt(keyedBlock))]
    const feeds = parseFeeds(body).map(address => rows.get(address) ?? '0x')
    response.end(toReply(body, encodeRows([...head, ...feeds])))
  })
  return {
    ...node,
    toRpcUrl: key => `${node.url.origin}/${key}`,
    accept(key) {
      accepted = key
    },
  }
}

/** Encodes what a feed answers to both of its calls: a price that is current, and served. */
function encodeFeed(network: Network, feed: Feed): Hex {
  const { answer, observedAt, sharePrice, multiplier } = toldOf(network, feed)
  const detail = toWords(0n, answer, observedAt, sharePrice, multiplier)
  return encodeRows([detail, toWords(1n, answer, observedAt, observedAt, 1n)])
}

/** Takes the feeds out of a question, in its order: behind three calls about the head, one call for each. */
function parseFeeds(body: string): readonly string[] {
  const { params }: { params: [{ data: Hex }] } = JSON.parse(body)
  return parseCalls(params[0].data)
    .slice(3)
    .map(({ callData }) => parseCalls(callData)[0]?.target.toLowerCase() ?? '')
}

function parseCalls(calldata: Hex): readonly { readonly target: Address; readonly callData: Hex }[] {
  const call = decodeFunctionData({ abi: multicall3Abi, data: calldata })
  return call.functionName === 'aggregate3' ? call.args[0] : []
}
