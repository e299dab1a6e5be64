import { oddAbi } from './cases/abi.ts'
import { feedVerdicts, rounds } from './cases/feeds.ts'
import { oddJson } from './cases/json.ts'
import { connections, protocol, slowness } from './cases/network.ts'
import { pages, rateLimits, redirects, refusals } from './cases/refusals.ts'
import { leaks, limits, noState, topReverts } from './cases/rpc-errors.ts'
import type { FaultCase } from './fault-case.ts'

/** Every shape in which a node has been seen to fail, or could, and what the service must say to each. */
export const faultCases: readonly FaultCase[] = [
  ...rateLimits,
  ...refusals,
  ...noState,
  ...topReverts,
  ...limits,
  ...pages,
  ...redirects,
  ...oddJson,
  ...oddAbi,
  ...connections,
  ...protocol,
  ...slowness,
  ...leaks,
  ...feedVerdicts,
  ...rounds,
]
