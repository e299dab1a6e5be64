import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, createPublicClient, http, numberToHex } from 'viem'
import { robinhood, robinhoodTestnet } from 'viem/chains'
import { startAnvil } from './anvil.ts'
import { compileContracts } from './contracts.ts'
import { multicall3Address, type StandInFeed, setStandInFeeds } from './stand-in-feed.ts'
import { StartFailure } from './start-failure.ts'

/** A running local chain. */
export type Chain = {
  /** Where it answers JSON-RPC, on the loopback interface. */
  rpcUrl: string
  /** The process id of its node. */
  pid: number
  /** Ends it at once and waits until it is gone. */
  stop(): Promise<void>
}

/** What makes a local chain resemble one of the networks. */
export type ChainKind = {
  chainId: number
  /** The number of its first block. */
  firstBlock: number
  /** How often it makes a block by itself; without it, it makes one for every transaction and none when idle. */
  blockTimeSeconds?: number
}

/**
 * The two networks, as they are: the mainnet is busy, the testnet makes no blocks when idle.
 *
 * Ten seconds keep the mainnet's head younger than the service demands (60 s), at some 90 MB of memory a day.
 */
export const chainKinds = {
  mainnet: { chainId: robinhood.id, firstBlock: 79_242_031, blockTimeSeconds: 10 },
  testnet: { chainId: robinhoodTestnet.id, firstBlock: 12_345_678 },
} as const satisfies Record<string, ChainKind>

/**
 * Starts a chain of its own on this machine, with stand-in feeds at their real addresses.
 *
 * Multicall3 and ArbSys stand at their real addresses too. A transaction makes a block at once. Calls can read the head
 * and the 64 blocks behind it.
 *
 * @throws {StartFailure} when the node cannot be started.
 */
export async function startChain({ feeds, ...kind }: ChainKind & { feeds: readonly StandInFeed[] }): Promise<Chain> {
  const folder = await mkdtemp(join(tmpdir(), 'price-lookup-'))
  try {
    const genesisFile = join(folder, 'genesis.json')
    await writeFile(genesisFile, JSON.stringify(await createGenesis(kind.chainId, feeds)))
    const anvil = await startAnvil(toAnvilArgs(kind, genesisFile))
    try {
      await settle(anvil.rpcUrl, kind.chainId, feeds)
      return anvil
    } catch (error) {
      await anvil.stop()
      throw error
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

function toAnvilArgs({ chainId, firstBlock, blockTimeSeconds }: ChainKind, genesisFile: string): string[] {
  const args = {
    init: genesisFile,
    'chain-id': chainId,
    number: firstBlock,
    'gas-limit': gasLimit,
    'prune-history': statesKept,
  }
  const mining = blockTimeSeconds ? ['--block-time', `${blockTimeSeconds}`, '--mixed-mining'] : []
  return [...Object.entries(args).flatMap(([name, value]) => [`--${name}`, `${value}`]), ...mining]
}

/** Every block costs anvil some 130 bytes for each state that it keeps, and 1.6 kB besides, for as long as it runs. */
const statesKept = 64

/** What Nitro grants an `eth_call`, which anvil takes from its block gas limit. */
const gasLimit = 50_000_000

const arbSysAddress = '0x0000000000000000000000000000000000000064'

async function createGenesis(chainId: number, feeds: readonly StandInFeed[]): Promise<object> {
  const codes = await compileContracts()
  const accounts: [Address, string][] = [
    [multicall3Address, codes.StandInMulticall3],
    [arbSysAddress, codes.StandInArbSys],
    ...feeds.map(({ address }): [Address, string] => [address, codes.StandInFeed]),
  ]
  return {
    config: { chainId },
    timestamp: numberToHex(Math.floor(Date.now() / 1000)),
    gasLimit: numberToHex(gasLimit),
    difficulty: '0x0',
    alloc: Object.fromEntries(accounts.map(([address, code]) => [address, { balance: '0x0', code }])),
  }
}

/** Gives every feed its state; also makes the blocks after the first, in which anvil's calls see another time. */
async function settle(rpcUrl: string, chainId: number, feeds: readonly StandInFeed[]): Promise<void> {
  const answered = await createPublicClient({ transport: http(rpcUrl) }).getChainId()
  if (answered !== chainId) throw new StartFailure(`Anvil answers for chain ${answered} instead of ${chainId}.`)
  for (let from = 0; from === 0 || from < feeds.length; from += feedsPerBlock) {
    await setStandInFeeds(rpcUrl, feeds.slice(from, from + feedsPerBlock))
  }
}

const feedsPerBlock = 200
