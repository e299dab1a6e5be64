import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { bundling } from '../infra/functions/node-function.ts'
import { encodeProgram } from '../lambda/chain/program.ts'
import { feedsOf } from '../lambda/feeds/registry.ts'

/** What is read: the record of one feed, or the list. */
export const routes = {
  record: {
    entry: 'lambda/handlers/get-price.ts',
    event: toFile('../local/events/get-price-crwd.json'),
    feeds: feedsOf('mainnet').filter(({ symbol }) => symbol === 'CRWD'),
  },
  list: {
    entry: 'lambda/handlers/list-prices.ts',
    event: toFile('../local/events/list-prices.json'),
    feeds: feedsOf('mainnet'),
  },
} as const

export type Route = keyof typeof routes

export const viemBatch = 'viem, batch'

/** Bundles the programs that read a route. Returns the file of each by its name. Each file exports its `handler`. */
export async function bundlePrograms(route: Route): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['bare call', await bundle('bench/baselines/bare-call.ts', 'bare-call')],
    ['Price Lookup', await bundle(routes[route].entry, route)],
    [viemBatch, await bundle('bench/baselines/viem-batch.ts', 'viem-batch')],
    ['viem, multicall', await bundle('bench/baselines/viem-multicall.ts', 'viem-multicall')],
  ])
}

/** Bundles a file as the stack bundles its functions. Returns the file of the bundle. */
export async function bundle(entry: string, as: string): Promise<string> {
  const outfile = toFile(`../node_modules/.cache/price-lookup/bench/${as}.cjs`)
  await build({ ...bundling, entryPoints: [entry], outfile, logLevel: 'error' })
  return outfile
}

/** Returns the environment variables that state for the baselines what they read. */
export function toInputs(route: Route) {
  const addresses = routes[route].feeds.map(({ address }) => address)
  const params = [{ data: encodeProgram(addresses) }, 'latest']
  return {
    ETH_CALL: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params }),
    FEEDS: JSON.stringify(addresses),
  }
}

function toFile(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}
