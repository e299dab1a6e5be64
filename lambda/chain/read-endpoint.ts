import { type Network, networkFacts } from '../../api/networks.ts'
import { Fault } from '../faults.ts'
import { type ChainReading, isWithoutCode } from '../feeds/reading.ts'
import type { Feed } from '../feeds/registry.ts'
import { decodeFeed } from './decode-feed.ts'
import { ethCall } from './eth-call.ts'
import { encodeProgram, rowAt, splitOutput } from './program.ts'

export interface ReadRequest {
  readonly network: Network
  readonly feeds: readonly Feed[]
}

/** A block's timestamp may be this far ahead of our clock. */
const maxHeadLeadSeconds = 15

/**
 * Reads feeds at one endpoint, with one `eth_call` at its latest block. Verifies that the output is of the network's
 * chain, and that the age of the block is within the network's limits: the testnet has no maximum age (D23).
 *
 * @throws {Fault} when the endpoint fails or what it returned is not valid
 */
export async function readEndpoint(
  rpcUrl: URL,
  { network, feeds }: ReadRequest,
  signal: AbortSignal,
): Promise<ChainReading> {
  const { chain, maxHeadAgeSeconds = Number.POSITIVE_INFINITY } = networkFacts[network]
  const initCode = encodeProgram(feeds.map(({ address }) => address))
  const output = await ethCall(rpcUrl, initCode, 'latest', signal)
  const readAt = new Date()
  const { chainId, blockTime, block, rows } = splitOutput(output, feeds.length)
  if (chainId !== chain.id) throw new Fault('wrong-chain')
  const ageSeconds = readAt.getTime() / 1_000 - blockTime
  if (ageSeconds > maxHeadAgeSeconds) throw new Fault('old-head')
  if (ageSeconds < -maxHeadLeadSeconds) throw new Fault('future-head')
  const read = feeds.map((feed, index) => decodeFeed(feed, rowAt(rows, index)))
  if (read.length > 1 && read.every(isWithoutCode)) throw new Fault('no-state')
  return { chain, block, readAt, blockTime, feeds: read }
}
