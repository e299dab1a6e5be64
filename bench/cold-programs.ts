import registry from '../lambda/feeds/registry.json' with { type: 'json' }
import { bundle, esModule, stock } from './bundle.ts'
import type { ColdProgram } from './cold.ts'
import { captureCalls } from './own-calls.ts'
import { events, type Scene } from './scene.ts'

/** The programs by the names of their rows. */
export const names = {
  limit: 'limit of a record: client-ssm and node:http',
  record: 'Price Lookup: record',
  listLimit: 'limit of the list: client-ssm and node:http',
  list: 'Price Lookup: list',
  floor: 'signed by hand, without the SDK, and node:http',
  stockFetch: 'stock client-ssm and fetch',
  stockViem: 'stock client-ssm and viem',
  client: 'client-ssm alone',
  stockClient: 'stock client-ssm alone',
  node: 'Node alone',
  asModule: 'record, as an ES module',
  wholeChain: "record, with the SDK's whole chain of credentials",
} as const

/** One of those names. */
export type Name = (typeof names)[keyof typeof names]

/** Bundles every program of the cold start. */
export async function toPrograms(scene: Scene): Promise<ReadonlyMap<Name, ColdProgram>> {
  const { folder, farSide, getPrice, listPrices } = scene
  const runner = await toColdRunner(scene)
  const calls = await captureCalls(scene)
  const variables = { ...farSide.variables(0), FEED: registry.mainnet[0]?.address ?? '' }
  const toProgram = ({ file }: { file: string }, kind: 'record' | 'list' = 'record') => ({
    runner,
    bundle: file,
    event: kind === 'record' ? events.getPrice : events.listPrices,
    variables: { ...variables, ETH_CALL: calls[kind].call },
  })
  const baseline = (name: string) => bundle(`bench/baselines/${name}.ts`, folder, name)
  const stockBaseline = (name: string) => bundle(`bench/baselines/${name}.ts`, folder, `stock-${name}`, stock)
  const record = (name: string, changes: typeof stock) => bundle('lambda/handlers/get-price.ts', folder, name, changes)
  const limit = await baseline('client-and-http')
  return new Map<Name, ColdProgram>([
    [names.limit, toProgram(limit)],
    [names.record, toProgram(getPrice)],
    [names.listLimit, toProgram(limit, 'list')],
    [names.list, toProgram(listPrices, 'list')],
    [names.floor, toProgram(await baseline('signed-by-hand'))],
    [names.stockFetch, toProgram(await stockBaseline('client-and-fetch'))],
    [names.stockViem, toProgram(await stockBaseline('client-and-viem'))],
    [names.client, toProgram(await baseline('client-alone'))],
    [names.stockClient, toProgram(await stockBaseline('client-alone'))],
    [names.node, toProgram(await baseline('nothing'))],
    [names.asModule, toProgram(await record('as-module', esModule))],
    [names.wholeChain, toProgram(await record('whole-chain', stock))],
  ])
}

/** Bundles the program that loads a bundle and invokes it once. */
export async function toColdRunner({ folder }: Scene): Promise<string> {
  // It loads ES modules too, by a dynamic import that stays one.
  return (await bundle('bench/cold-process.ts', folder, 'cold-process', { supported: {} })).file
}
