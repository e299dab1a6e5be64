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
export function formatRpcFailure(
  network: Network,
  source: Sources[Network],
  lines: readonly LogLine[],
): string | undefined {
  if (source === 'embedded') return undefined
  const faults = lines.flatMap(({ text }) => parseFault(text)).filter(fault => fault.network === network)
  if (faults.length === 0) return undefined
  const reasons = faults.map(({ fault, endpoint, httpStatus }) =>
    httpStatus === undefined ? `${endpoint} ${fault}` : `${endpoint} ${fault} (HTTP ${httpStatus})`,
  )
  const check = 'npm run --silent check-rpc'
  const [name, url] = source === 'deployed' ? ['--live', networkFacts[network].rpcUrl] : [source.name, 'URL']
  const next = name.startsWith('--') ? `${check} -- ${url}` : `printenv ${name} | ${check}`
  return `The ${network} cannot be read with ${name}: ${[...new Set(reasons)].toSorted().join(', ')}. Check it: ${next}`
}

function parseFault(text: string): z.output<typeof faultLine>[] {
  try {
    return [faultLine.parse(JSON.parse(text))]
  } catch {
    return []
  }
}
