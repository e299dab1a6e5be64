import registry from '../../../lambda/feeds/registry.json' with { type: 'json' }
import { setReverts } from '../../../local/chains/stand-in-feed.ts'
import type { Sandbox } from '../../../local/sandbox.ts'

/** Makes a feed of the mainnet unreadable. */
export async function makeUnreadable({ chains }: Sandbox, symbol: string): Promise<void> {
  const feed = registry.mainnet.find(one => one.symbol === symbol)
  await setReverts(chains.mainnet?.rpcUrl ?? '', feed?.address as `0x${string}`, 'latestDetail()', true)
}
