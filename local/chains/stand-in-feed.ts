import { type Address, createClient, encodeFunctionData, type Hex, http, numberToHex, parseAbi, rpcSchema } from 'viem'
import { type FeedStatus, feedStatuses } from '../../api/statuses.ts'

/** A stand-in feed and its state. */
export type StandInFeed = {
  address: Address
  token: Address
  status: FeedStatus
  /** US dollars per token, 8 decimals. */
  answer: bigint
  /** US dollars per share, 8 decimals. */
  sharePrice: bigint
  /** Shares per token, 18 decimals. */
  multiplier: bigint
  /** When the share price was observed, Unix seconds. */
  observedAt: number
  /** Whether `latestRoundData()` serves while the market is closed. */
  servesWhenClosed: boolean
}

/**
 * Sets the states of stand-in feeds in one block, and waits for it: of up to 300 for the first time, later of up to 1,500.
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
  'struct State { Quote quote; int256 sharePrice; uint256 multiplier; bool servesWhenClosed; }',
  'function set(State next)',
])

function encodeSet({ status, answer, observedAt, ...rest }: StandInFeed): Hex {
  const quote = { status: feedStatuses.indexOf(status), answer, observedAt: BigInt(observedAt) }
  return encodeFunctionData({ abi: standInFeedAbi, functionName: 'set', args: [{ quote, ...rest }] })
}

/** Anvil's own method, unknown to viem: sends from an account of anvil and waits for the block. */
type SendTransactionSync = {
  Method: 'eth_sendTransactionSync'
  Parameters: [{ from: Address; to: Address; data: Hex; gas: Hex }]
  ReturnType: { status: Hex }
}

/** The first account that anvil funds. */
const anvilAccount = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/** Below the block gas limit of 50 million. Setting one feed costs some 120,000 at first, and 24,000 later. */
const gasPerTransaction = 45_000_000
