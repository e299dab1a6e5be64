import { randomInt } from 'node:crypto'
import type { Hex } from 'viem'
import { Fault } from '../faults.ts'
import { post } from './post.ts'

/**
 * JSON-RPC error codes that mean a rate limit.
 *
 * @see https://eips.ethereum.org/EIPS/eip-1474 (-32005)
 * @see https://github.com/EspressoSystems/espresso-network/pull/4838 (-32007, QuickNode)
 * @see https://github.com/foundry-rs/foundry/pull/6712 (-32012, QuickNode)
 * @see https://github.com/base/node/issues/368 (-32016, public nodes)
 * @see https://github.com/reown-com/blockchain-api/pull/1102 (-32029, TheRPC)
 * @see https://docs.blockvision.org/reference/error-code-reference (-32605)
 */
const rateLimitCodes: ReadonlySet<unknown> = new Set([429, -32_005, -32_007, -32_012, -32_016, -32_029, -32_605])

/**
 * Executes init code with one `eth_call` at one endpoint, and checks the JSON-RPC envelope.
 *
 * The request's id is a random number, so a reply that a proxy cached or swapped has another id. It is below 2^31,
 * because some proxies keep only 32 bits of a number, or only 14 of its digits.
 *
 * @param block the number of a block in hexadecimal digits, or the latest block
 * @returns what the init code returned, in lower case
 * @throws {Fault} when the endpoint fails or returns no valid reply
 */
export async function ethCall(rpcUrl: URL, initCode: Hex, block: Hex | 'latest', signal: AbortSignal): Promise<Hex> {
  const id = randomInt(1, 2 ** 31)
  const request = JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_call', params: [{ data: initCode }, block] })
  return parseReply(await post(rpcUrl, request, signal), id)
}

function parseReply(text: string, id: number): Hex {
  const reply = parseJson(text)
  if (typeof reply !== 'object' || reply === null) throw new Fault('malformed-envelope')
  if ('error' in reply && reply.error !== null) throw toErrorFault(reply.error)
  // Some gateways send the error of a rate limit without the JSON-RPC envelope.
  if (!('result' in reply) && 'code' in reply && rateLimitCodes.has(reply.code)) throw toErrorFault(reply)
  // The random id proves that this is the reply to the request. `jsonrpc` is not checked, because some nodes leave it
  // out.
  if (!('id' in reply && reply.id === id && 'result' in reply)) throw new Fault('malformed-envelope')
  if (!isHex(reply.result)) throw new Fault('malformed-result')
  return `0x${reply.result.slice(2).toLowerCase()}`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Fault('malformed-envelope')
  }
}

function toErrorFault(error: unknown): Fault {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  const kind = rateLimitCodes.has(code) ? 'rate-limited' : 'rpc-error'
  const isCode = typeof code === 'number' && Number.isInteger(code) && Math.abs(code) < 100_000
  return new Fault(kind, isCode ? { rpcCode: code } : {})
}

function isHex(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x[0-9a-fA-F]*$/.test(value)
}
