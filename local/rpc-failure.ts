import { z } from 'zod'
import { type Network, networkFacts } from '../api/networks.ts'
import type { LogLine } from './log.ts'
import type { Sources } from './sandbox.ts'

/** What a function logs of the fault of an endpoint: `rpc-1` for the first RPC URL. */
const faultLine = z.object({
  fault: z.string(),
  endpoint: z.string(),
  network: z.string(),
  httpStatus: z.number().optional(),
})

/**
 * Formats why a network cannot be read, and the next command. It has no URL that was given, because one may hold a key.
 *
 * @param lines what the functions logged
 * @returns undefined when they logged no fault of an RPC URL
 */
export async function formatRpcFailure(
  network: Network,
  source: Sources[Network],
  lines: readonly LogLine[],
): Promise<string | undefined> {
  if (source === 'embedded') return undefined
  const faults = lines.flatMap(({ text }) => parseFault(text)).filter(fault => fault.network === network)
  if (faults.length === 0) return undefined
  const given = source === 'deployed' ? { name: '--live', rpcUrls: [networkFacts[network].rpcUrl] } : source
  const reasons = faults.map(async ({ fault, endpoint, httpStatus }) => {
    const rpcUrl = given.rpcUrls[Number(endpoint.replace('rpc-', '')) - 1]
    const cause = fault === 'unreachable' && rpcUrl ? await findCause(rpcUrl) : httpStatus && `HTTP ${httpStatus}`
    return cause ? `${endpoint} ${fault} (${cause})` : `${endpoint} ${fault}`
  })
  const distinct = new Set(await Promise.all(reasons))
  const check = 'npm run --silent check-rpc'
  const url = source === 'deployed' ? networkFacts[network].rpcUrl : 'URL'
  const next = given.name.startsWith('--') ? `${check} -- ${url}` : `printenv ${given.name} | ${check}`
  return `The ${network} cannot be read with ${given.name}: ${[...distinct].toSorted().join(', ')}. Check it: ${next}`
}

function parseFault(text: string): z.output<typeof faultLine>[] {
  try {
    return [faultLine.parse(JSON.parse(text))]
  } catch {
    return []
  }
}

const causes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'no such host',
}

/** Finds why there is no connection to an RPC URL. The functions log `unreachable` for all reasons. */
async function findCause(rpcUrl: string): Promise<string> {
  try {
    await fetch(rpcUrl, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(5_000) })
    return ''
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    return causes[code] ?? code
  }
}
