import { encodeErrorResult, type Hex, parseAbi, stringToHex } from 'viem'
import { type Answer, canary, page, reply, result, rpcError } from '../answers.ts'
import { type FaultCase, toCases } from '../fault-case.ts'

/** Nodes that do not have the state that was asked for. */
export const noState: FaultCase[] = toCases('no state', [
  ['-32000 "header not found"', rpcError({ code: -32_000, message: 'header not found' }), 'rpc-error'],
  ['-32000 "missing trie node"', rpcError({ code: -32_000, message: 'missing trie node 1f2e' }), 'rpc-error'],
  ['-32000 "metadata is not found"', rpcError({ code: -32_000, message: 'metadata is not found' }), 'rpc-error'],
  ['-32001 "resource not found"', rpcError({ code: -32_001, message: 'resource not found' }), 'rpc-error'],
  ['400 with code 3 "Unknown block"', rpcError({ code: 3, message: 'Unknown block' }, 400), 'http-status'],
  ['200 with code 3 "Unknown block"', rpcError({ code: 3, message: 'Unknown block' }), 'rpc-error'],
])

/** A revert of type Error(string) whose text is the canary's. */
export const spokenRevert: Hex = encodeErrorResult({
  abi: parseAbi(['error Error(string)']),
  errorName: 'Error',
  args: [canary],
})

/** A revert that asks whoever reads it to fetch a URL (CCIP-Read, EIP-3668). */
export function toOffchainLookup(url: string): Hex {
  return encodeErrorResult({
    abi: parseAbi(['error OffchainLookup(address, string[], bytes, bytes4, bytes)']),
    errorName: 'OffchainLookup',
    args: ['0xcA11bde05977b3631167028862bE2a173976CA11', [url], stringToHex(canary), '0x12345678', '0x'],
  })
}

const lookUp: Answer = exchange =>
  rpcError({ code: 3, message: 'execution reverted', data: toOffchainLookup(exchange.trapUrl.href) })(exchange)

/** Reverts of the whole call, where only a feed's own row may speak of a feed. */
export const topReverts: FaultCase[] = toCases('reverts at the top', [
  ['code 3 with data', rpcError({ code: 3, message: 'execution reverted', data: '0xe3f18fa8' }), 'rpc-error'],
  ['code 3 with a text in its data', rpcError({ code: 3, message: 'reverted', data: spokenRevert }), 'rpc-error'],
  ['code 3 without data', rpcError({ code: 3, message: 'execution reverted' }), 'rpc-error'],
  ['code 3 with an OffchainLookup', lookUp, 'rpc-error'],
  ['-32000 "execution reverted"', rpcError({ code: -32_000, message: 'execution reverted' }), 'rpc-error'],
  [
    '-32015 with "Reverted 0x…"',
    rpcError({ code: -32_015, message: 'VM execution error', data: 'Reverted 0xe3f18fa8' }),
    'rpc-error',
  ],
  [
    '-32603 with another error in it',
    rpcError({
      code: -32_603,
      message: 'Internal error',
      data: { originalError: { code: 3, data: '0xe3f18fa8', message: canary } },
    }),
    'rpc-error',
  ],
  ['a revert as the result', result(spokenRevert), 'malformed-result'],
])

/** Calls that were more than the node would do. */
export const limits: FaultCase[] = toCases('limits', [
  [
    '"gas required exceeds allowance"',
    rpcError({ code: -32_000, message: 'gas required exceeds allowance (0)' }),
    'rpc-error',
  ],
  [
    '"execution aborted (timeout = 5s)"',
    rpcError({ code: -32_000, message: 'execution aborted (timeout = 5s)' }),
    'rpc-error',
  ],
  ['"EVM error: OutOfGas"', rpcError({ code: -32_003, message: 'EVM error: OutOfGas' }), 'rpc-error'],
  ['"request entity too large"', page(413, `request entity too large ${canary}`), 'http-status'],
])

/** Nodes that print what nobody may see. */
export const leaks: FaultCase[] = toCases('leaks', [
  [
    'somebody’s key in an error',
    rpcError({ code: -32_000, message: `Post "https://node.test/${canary}/": dial tcp 10.0.0.1:8545: i/o timeout` }),
    'rpc-error',
  ],
  [
    'our own request, word for word',
    ({ request, response }) => void response.writeHead(502, { 'X-Request': canary }).end(request + canary),
    'http-status',
  ],
  [
    'the true answer, and more than was asked for',
    reply(told => ({ ...told, node: canary, secret: { key: canary } })),
    { record: {} },
  ],
  ['a key in the reason of the status', ({ response }) => void response.writeHead(500, canary).end(), 'http-status'],
  ['a canary in every cookie', page(500, canary, { 'Set-Cookie': `session=${canary}` }), 'http-status'],
])
