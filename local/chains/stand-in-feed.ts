import {
  type Address,
  concat,
  createClient,
  encodeFunctionData,
  type Hex,
  http,
  numberToHex,
  pad,
  parseAbi,
  rpcSchema,
  stringToHex,
} from 'viem'
import { type FeedStatus, feedStatuses } from '../../api/statuses.ts'

export type StandInFeed = {
  symbol: string
  address: Address
  token: Address
  maxAgeSeconds: number
  status: FeedStatus
  /** US dollars per token, 8 decimals. */
  answer: bigint
  /** US dollars per share, 8 decimals. */
  sharePrice: bigint
  /** Shares per token, 18 decimals. */
  multiplier: bigint
  /** When the share price was observed, Unix seconds. */
  observedAt: number
}

/**
 * Sets the states of stand-in feeds in one block, and waits for it.
 *
 * @example
 * await setStandInFeeds(chain.rpcUrl, [{ ...feed, status: 'Stale' }])
 */
export async function setStandInFeeds(rpcUrl: string, feeds: readonly StandInFeed[]): Promise<void> {
  const client = createClient({ transport: http(rpcUrl), rpcSchema: rpcSchema<[SendTransactionSync]>() })
  const args = [feeds.map(({ address }) => address), feeds.map(encodeSet)] as const
  const data = encodeFunctionData({ abi: batchAbi, args })
  const params = { from: anvilAccount, to: batchAddress, data, gas: numberToHex(gasPerTransaction) } as const
  const { status } = await client.request({ method: 'eth_sendTransactionSync', params: [params] })
  if (status !== '0x1') throw new Error('The states of the stand-in feeds were not set: the transaction reverted.')
}

/** The address of `Batch` on a local chain. A real chain has nothing there. */
export const batchAddress = '0x00000000000000000000000000000000000ba7c4'

const batchAbi = parseAbi(['function run(address[] targets, bytes[] callDatas)'])

const standInFeedAbi = parseAbi([
  'struct Quote { uint8 status; int256 answer; uint64 observedAt; }',
  'struct State { Quote quote; int256 sharePrice; uint256 multiplier; }',
  'function set(State next)',
])

/** Encodes the call that gives a stand-in feed its state. Anyone may send it. */
export function encodeSet({ status, answer, observedAt, sharePrice, multiplier }: StandInFeed): Hex {
  const quote = { status: feedStatuses.indexOf(status), answer, observedAt: BigInt(observedAt) }
  return encodeFunctionData({ abi: standInFeedAbi, functionName: 'set', args: [{ quote, sharePrice, multiplier }] })
}

/** Returns the first two words of a stand-in feed's storage, which no transaction changes. */
export function toStorage({ symbol, token, maxAgeSeconds }: StandInFeed): readonly [Hex, Hex] {
  const description = `${symbol} / USD`
  return [
    pad(concat([numberToHex(maxAgeSeconds, { size: 4 }), token])),
    // A text of less than 32 bytes ends with twice its length.
    concat([stringToHex(description, { size: 31 }), numberToHex(2 * description.length, { size: 1 })]),
  ]
}

/** Anvil's own method, unknown to viem: sends from an account of anvil and waits for the block. */
type SendTransactionSync = {
  Method: 'eth_sendTransactionSync'
  Parameters: [{ from: Address; to: Address; data: Hex; gas: Hex }]
  ReturnType: { status: Hex }
}

/** The first account that anvil funds. */
const anvilAccount = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/** Below the block gas limit of 50 million. Setting one feed costs some 120,000 at first, so 58 cost 7 million. */
const gasPerTransaction = 45_000_000
