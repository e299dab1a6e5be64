import { BaseError, createTestClient, http } from 'viem'
import { type Network, networkFacts } from '../../api/networks.ts'
import { StartFailure } from '../run-command.ts'
import { type Anvil, startAnvil } from './anvil.ts'
import { runtimeCodes } from './contracts/bytecode.ts'
import { batchAddress, type StandInFeed, setStandInFeeds, toStorage } from './stand-in-feed.ts'

/** A running local chain, and the states of its feeds at its start. */
export interface Chain extends Anvil {
  readonly feeds: readonly StandInFeed[]
}

export interface ChainKind {
  readonly chainId: number
  /** If undefined, the chain makes a block for each transaction only. */
  readonly blockTimeSeconds?: number
}

/**
 * Returns the properties of a network's chain.
 *
 * Without a limit for the age of the head, an idle chain makes no blocks, as the real one. With a limit, it makes a
 * block every 10 seconds, which keeps the head younger than the 60 s of the mainnet. That takes some 30 MB of memory a
 * day.
 */
export function toChainKind(network: Network): ChainKind {
  const { chain, maxHeadAgeSeconds } = networkFacts[network]
  const isBusy = maxHeadAgeSeconds !== undefined
  return { chainId: chain.id, ...(isBusy ? { blockTimeSeconds: 10 } : {}) }
}

/**
 * Starts a local chain with stand-in feeds and ArbSys at their real addresses.
 *
 * A transaction makes a block at once. Calls can read the head and the 40 blocks before it.
 *
 * @throws {StartFailure} when the node does not start, or does not answer
 * @example
 * const chain = await startChain({ ...toChainKind('testnet'), feeds: toStandInFeeds('testnet', registry.testnet, nowSeconds) })
 */
export async function startChain({ feeds, ...kind }: ChainKind & { feeds: readonly StandInFeed[] }): Promise<Chain> {
  const anvil = await startAnvil(toAnvilArgs(kind))
  try {
    await deploy(anvil.rpcUrl, feeds)
    // The transaction is sent even without a feed: calls in the block with which anvil starts see a wrong time.
    await setStandInFeeds(anvil.rpcUrl, feeds)
    return { ...anvil, feeds }
  } catch (error) {
    await anvil.stop()
    if (!(error instanceof BaseError)) throw error
    throw new StartFailure(`The local chain at ${anvil.rpcUrl} cannot be used: ${error.shortMessage} ${error.details}.`)
  }
}

function toAnvilArgs({ chainId, blockTimeSeconds }: ChainKind): string[] {
  const args = {
    'chain-id': chainId,
    number: firstBlock,
    'gas-limit': gasLimit,
    'prune-history': readableBlocks,
    'transaction-block-keeper': readableBlocks,
  }
  const mining = blockTimeSeconds ? ['--block-time', `${blockTimeSeconds}`, '--mixed-mining'] : []
  return [...Object.entries(args).flatMap(([name, value]) => [`--${name}`, `${value}`]), ...mining]
}

/** The number of the first block: that of the record in the documentation. */
const firstBlock = 79_242_031

/**
 * The number of blocks before the head that calls can read: some two minutes of the mainnet, in which the command of a
 * record in the board can be copied and run. Each block takes some 130 bytes of anvil's memory for each of these, twice
 * as many if it has a transaction, and 2 to 8 kB besides.
 */
const readableBlocks = 40

/**
 * Nitro's gas cap of an `eth_call`. It is set as the block gas limit, which anvil uses as that cap.
 *
 * @see https://docs.arbitrum.io/run-arbitrum-node/run-full-node
 */
const gasLimit = 50_000_000

/** @see https://docs.arbitrum.io/build-decentralized-apps/precompiles/reference#arbsys */
const arbSysAddress = '0x0000000000000000000000000000000000000064'

/**
 * Puts the code of every contract at its address, and the values that no transaction changes into the storage of feeds.
 */
async function deploy(rpcUrl: string, feeds: readonly StandInFeed[]): Promise<void> {
  const client = createTestClient({ mode: 'anvil', transport: http(rpcUrl, { batch: true }) })
  await Promise.all([
    client.setLoggingEnabled(false),
    client.setCode({ address: batchAddress, bytecode: runtimeCodes.Batch }),
    client.setCode({ address: arbSysAddress, bytecode: runtimeCodes.StandInArbSys }),
    ...feeds.map(({ address }) => client.setCode({ address, bytecode: runtimeCodes.StandInFeed })),
    ...feeds.flatMap(feed =>
      toStorage(feed).map((value, index) => client.setStorageAt({ address: feed.address, index, value })),
    ),
  ])
}
