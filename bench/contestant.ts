import { type Child, type ChildOptions, startChild } from './child.ts'
import type { FarSide } from './far-side.ts'

/** A way to learn what feeds say. */
export type Way =
  /** The service itself, its body or all that it gives to Lambda: the bundle of a function, and the file of an event. */
  | { readonly kind: 'deployed' | 'whole result'; readonly bundle: string; readonly event: string }
  /** One `eth_call` and nothing else, of which the body is given. */
  | { readonly kind: 'fetch' | 'http'; readonly body: string }
  /** viem's public client, with two reads and the block's number for each feed. */
  | { readonly kind: 'viem' | 'viem with multicall'; readonly feeds: readonly string[] }

/** What is asked of a contestant. */
export interface Turn {
  readonly times: number
}

/** What came of it. */
export interface Lap {
  /** Milliseconds of each time. */
  readonly tookMs: readonly number[]
  /** What the last time answered. */
  readonly answer: string
  /** How many records were in the answer that had the fewest. */
  readonly leastRecords: number
  /** After a garbage collection, if the process can make one. */
  readonly heapBytes: number
}

/** Starts a contestant in a process of its own. */
export function startContestant(
  way: Way,
  farSide: FarSide,
  delayMs: number,
  { nodeOptions = [] }: ChildOptions = {},
): Child<Turn, Lap> {
  const variables = {
    ...farSide.variables(delayMs),
    CONTESTANT_WAY: JSON.stringify(way),
    CONTESTANT_RPC_URL: farSide.rpcUrl(delayMs),
  }
  return startChild('contestant-process.ts', { variables, nodeOptions })
}
