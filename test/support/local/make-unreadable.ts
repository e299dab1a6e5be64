import { createTestClient, http } from 'viem'
import registry from '../../../lambda/feeds/registry.json' with { type: 'json' }
import type { Service } from '../../../local/service.ts'

/** Makes a feed of the mainnet unreadable: it reverts without data. */
export async function makeUnreadable({ chains }: Pick<Service, 'chains'>, symbol: string): Promise<void> {
  const feed = registry.mainnet.find(candidate => candidate.symbol === symbol)
  const anvil = createTestClient({ mode: 'anvil', transport: http(chains.mainnet?.rpcUrl) })
  await anvil.setCode({ address: feed?.address as `0x${string}`, bytecode: '0x5f5ffd' })
}
