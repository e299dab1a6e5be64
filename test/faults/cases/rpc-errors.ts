import { encodeErrorResult, type Hex, parseAbi, stringToHex } from 'viem'
import { canary, rpcError, status } from '../../chain/faulty-node.ts'
import { type Answer, type FaultCase, reply, result, toCases } from '../fault-case.ts'

/** Nodes without the state of the block. */
const noState: FaultCase[] = toCases('no state', 'rpc-error', [
  ['-32000 "header not found"', rpcError(-32_000, 'header not found')],
  ['-32000 "missing trie node"', rpcError(-32_000, 'missing trie node 1f2e')],
  ['-32000 "metadata is not found"', rpcError(-32_000, 'metadata is not found')],
  ['-32001 "resource not found"', rpcError(-32_001, 'resource not found')],
  ['200 with code 3 "Unknown block"', rpcError(3, 'Unknown block')],
  ['400 with code 3 "Unknown block"', rpcError(3, 'Unknown block', { httpStatus: 400 }), 'http-status'],
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

const offchainLookup: Answer = (response, request, { trapUrl }) =>
  rpcError(3, 'execution reverted', { data: toOffchainLookup(trapUrl.href) })(response, request)
const nested = { originalError: { code: 3, data: '0xe3f18fa8', message: canary } }

/** Reverts of the whole call. Only a feed's own row is a statement about the feed (D2). */
const reverts: FaultCase[] = toCases('reverts of the call', 'rpc-error', [
  ['code 3 with data', rpcError(3, 'execution reverted', { data: '0xe3f18fa8' })],
  ['code 3 with a text in its data', rpcError(3, 'reverted', { data: textRevert })],
  ['code 3 without data', rpcError(3, 'execution reverted')],
  ['code 3 with an OffchainLookup', offchainLookup],
  ['-32000 "execution reverted"', rpcError(-32_000, 'execution reverted')],
  ['-32015 with "Reverted 0x…"', rpcError(-32_015, 'VM execution error', { data: 'Reverted 0xe3f18fa8' })],
  ['-32603 with another error in it', rpcError(-32_603, 'Internal error', { data: nested })],
  ['a revert as the result', result(textRevert), 'malformed-result'],
])

/** Calls above a limit of the node. */
const limits: FaultCase[] = toCases('limits', 'rpc-error', [
  ['"gas required exceeds allowance"', rpcError(-32_000, 'gas required exceeds allowance (0)')],
  ['"execution aborted (timeout = 5s)"', rpcError(-32_000, 'execution aborted (timeout = 5s)')],
  ['"EVM error: OutOfGas"', rpcError(-32_003, 'EVM error: OutOfGas')],
  ['"request entity too large"', status(413, `request entity too large ${canary}`), 'http-status'],
])

/** Replies with texts that must not be shown. */
const leaks: FaultCase[] = toCases('leaks', 'http-status', [
  [
    'a URL with a key in an error',
    rpcError(-32_000, `Post "https://node.test/${canary}/": dial tcp 10.0.0.1:8545: i/o timeout`),
    'rpc-error',
  ],
  ['our own request', (response, request) => response.writeHead(502, { 'X-Request': canary }).end(request + canary)],
  [
    'the correct reply with further fields',
    reply(correct => ({ ...correct, node: canary, secret: { key: canary } })),
    { record: {} },
  ],
  ['a key in the status text', response => response.writeHead(500, canary).end()],
  ['a key in a cookie', status(500, canary, { 'Set-Cookie': `session=${canary}` })],
])

/** JSON-RPC errors. */
export const rpcErrors: FaultCase[] = [...noState, ...reverts, ...limits, ...leaks]
