import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import registry from '../lambda/feeds/registry.json' with { type: 'json' }
import { chainKinds, startChain } from '../local/chains.ts'
import { toStandInFeeds } from '../local/stand-in-feeds.ts'
import { type Bundle, bundle, type Registry, root } from './bundle.ts'
import { type FarSide, startFarSide } from './far-side.ts'

/** What all parts measure with. */
export interface Scene extends AsyncDisposable {
  readonly farSide: FarSide
  /** Where the chain itself answers, without the far side before it. */
  readonly nodeUrl: string
  /** A folder that is gone afterwards. */
  readonly folder: string
  readonly getPrice: Bundle
  readonly listPrices: Bundle
}

/** The most feeds that any part reads. */
const mostFeeds = 1_000

/** The events that the functions are invoked with. */
export const events = {
  getPrice: join(root, 'local/events/get-price-crwd.json'),
  listPrices: join(root, 'local/events/list-prices.json'),
} as const

/** Starts a chain that stands still, the far side before it, and bundles the functions. */
export async function startScene(): Promise<Scene> {
  await using started = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'price-lookup-bench-'))
  started.defer(() => rm(folder, { recursive: true }))
  const { chainId, firstBlock } = chainKinds.mainnet
  const startedAt = Math.floor(Date.now() / 1_000)
  const feeds = toStandInFeeds('mainnet', toRegistry(mostFeeds).mainnet, startedAt)
  const chain = await startChain({ chainId, firstBlock, feeds })
  started.defer(chain.stop)
  const farSide = await startFarSide(chain.rpcUrl)
  started.defer(farSide.stop)
  const getPrice = await bundle('lambda/handlers/get-price.ts', folder, 'get-price')
  const listPrices = await bundle('lambda/handlers/list-prices.ts', folder, 'list-prices')
  const held = started.move()
  const nodeUrl = chain.rpcUrl
  return { farSide, nodeUrl, folder, getPrice, listPrices, [Symbol.asyncDispose]: () => held.disposeAsync() }
}

/** Makes a registry whose mainnet has so many feeds: the real ones first, then made-up ones. */
export function toRegistry(feeds: number): Registry {
  const made = Array.from({ length: Math.max(0, feeds - registry.mainnet.length) }, (_, index) => ({
    symbol: `MADE${index}`,
    address: toAddress(0xfeed, index),
    token: toAddress(0x70ce, index),
  }))
  return { ...registry, mainnet: [...registry.mainnet, ...made].slice(0, feeds) }
}

function toAddress(kind: number, index: number): string {
  return `0x${kind.toString(16)}${index.toString(16).padStart(36, '0')}`
}
