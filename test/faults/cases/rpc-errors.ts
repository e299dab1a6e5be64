import { encodeErrorResult, type Hex, parseAbi, stringToHex } from 'viem'
import { type Answer, canary, type FaultCase, page, reply, result, rpcError, toCases } from '../fault-case.ts'

const asError = (rows: readonly (readonly [name: string, answer: Answer])[]) =>
  rows.map(([name, answer]) => [name, answer, 'rpc-error'] as const)

/** Nodes without the state of the block. */
const noState: FaultCase[] = toCases('no state', [
  ...asError([
    ['-32000 "header not found"', rpcError(-32_000, 'header not found')],
    ['-32000 "missing trie node"', rpcError(-32_000, 'missing trie node 1f2e')],
    ['-32000 "metadata is not found"', rpcError(-32_000, 'metadata is not found')],
    ['-32001 "resource not found"', rpcError(-32_001, 'resource not found')],
    ['200 with code 3 "Unknown block"', rpcError(3, 'Unknown block')],
  ]),
  ['400 with code 3 "Unknown block"', rpcError(3, 'Unknown block', { status: 400 }), 'http-status'],
])

/** A revert of type Error(string) with the canary as its text. */
export const textRevert: Hex = encodeErrorResult({
  abi: parseAbi(['error Error(string)']),
  errorName: 'Error',
  args: [canary],
})

/** A revert that asks the client to fetch a URL. @see https://eips.ethereum.org/EIPS/eip-3668 */
export function toOffchainLookup(url: string): Hex {
  return encodeErrorResult({
    abi: parseAbi(['error OffchainLookup(address, string[], bytes, bytes4, bytes)']),
    errorName: 'OffchainLookup',
    args: ['0xcA11bde05977b3631167028862bE2a173976CA11', [url], stringToHex(canary), '0x12345678', '0x'],
  })
}

const offchainLookup: Answer = exchange =>
  rpcError(3, 'execution reverted', { data: toOffchainLookup(exchange.trapUrl.href) })(exchange)
const nested = { originalError: { code: 3, data: '0xe3f18fa8', message: canary } }

/** Reverts of the whole call. Only a feed's own row is a statement about the feed (D2). */
const reverts: FaultCase[] = toCases('reverts of the call', [
  ...asError([
    ['code 3 with data', rpcError(3, 'execution reverted', { data: '0xe3f18fa8' })],
    ['code 3 with a text in its data', rpcError(3, 'reverted', { data: textRevert })],
    ['code 3 without data', rpcError(3, 'execution reverted')],
    ['code 3 with an OffchainLookup', offchainLookup],
    ['-32000 "execution reverted"', rpcError(-32_000, 'execution reverted')],
    ['-32015 with "Reverted 0x…"', rpcError(-32_015, 'VM execution error', { data: 'Reverted 0xe3f18fa8' })],
    ['-32603 with another error in it', rpcError(-32_603, 'Internal error', { data: nested })],
  ]),
  ['a revert as the result', result(textRevert), 'malformed-result'],
])

/** Calls above a limit of the node. */
const limits: FaultCase[] = toCases('limits', [
  ...asError([
    ['"gas required exceeds allowance"', rpcError(-32_000, 'gas required exceeds allowance (0)')],
    ['"execution aborted (timeout = 5s)"', rpcError(-32_000, 'execution aborted (timeout = 5s)')],
    ['"EVM error: OutOfGas"', rpcError(-32_003, 'EVM error: OutOfGas')],
  ]),
  ['"request entity too large"', page(413, `request entity too large ${canary}`), 'http-status'],
])

/** Replies with texts that must not be shown. */
const leaks: FaultCase[] = toCases('leaks', [
  [
    'a URL with a key in an error',
    rpcError(-32_000, `Post "https://node.test/${canary}/": dial tcp 10.0.0.1:8545: i/o timeout`),
    'rpc-error',
  ],
  [
    'our own request',
    ({ request, response }) => response.writeHead(502, { 'X-Request': canary }).end(request + canary),
    'http-status',
  ],
  [
    'the correct reply with further fields',
    reply(correct => ({ ...correct, node: canary, secret: { key: canary } })),
    { record: {} },
  ],
  ['a key in the status text', ({ response }) => response.writeHead(500, canary).end(), 'http-status'],
  ['a key in a cookie', page(500, canary, { 'Set-Cookie': `session=${canary}` }), 'http-status'],
])

/** JSON-RPC errors. */
export const rpcErrors: FaultCase[] = [...noState, ...reverts, ...limits, ...leaks]
