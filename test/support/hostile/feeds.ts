import { type Address, type Hex, toFunctionSelector } from 'viem'
import { feedsOf } from '../../../lambda/feeds/registry.ts'
import { compileYul } from '../chain/compile.ts'

/** A hostile contract, or an address that a feed cannot have. */
export interface HostileFeed {
  readonly name: string
  readonly code?: Hex
  readonly address?: Address
  /** How many bytes both of its functions return or revert with. */
  readonly size?: number
  /** Its own row depends on the feeds that were read before it. */
  readonly varies?: true
}

/** Feeds of the list that hostile ones use: the second and the last but one. */
const [second = '0x', last = '0x'] = [feedsOf('mainnet').at(1)?.address, feedsOf('mainnet').at(-2)?.address]

const detail = 0x4d8b59fb
const set = toFunctionSelector('set(((uint8,int256,uint64),int256,uint256,bool))')

/** Functions for the bodies below. `serve` returns a price with this answer. */
const prelude = `
  function serve(answer) {
    mstore(0, 0) mstore(32, answer) mstore(64, 1700000000) mstore(96, 100) mstore(128, 1000000000000000000)
    return(0, 160)
  }
  function ask(to) -> success {
    mstore(0, shl(224, ${detail}))
    success := staticcall(gas(), to, 0, 4, 0, 160)
  }`

const compile = (bodies: Record<string, string>): readonly HostileFeed[] =>
  Object.entries(bodies).map(([name, body]) => ({
    name,
    code: compileYul(`object "Feed" { code { ${body} ${prelude} } }`, { evmVersion: 'cancun' }),
  }))

/** Outputs around the size of a valid one, and one that takes nearly all of the gas of a call. */
const bombs = [0, 4, 160, 161, 500_000].flatMap(size =>
  compile({
    [`returns ${size} bytes`]: `return(0, ${size})`,
    [`reverts with ${size} bytes`]: `mstore(0, not(0)) revert(0, ${size})`,
  }).map(feed => ({ ...feed, size })),
)

/** Use all of their gas, or nearly all: at once, step by step, in calls of calls, before a price, before much data. */
export const burners = compile({
  'runs an invalid opcode': 'invalid()',
  'jumps for ever': 'for {} 1 {} {}',
  'calls itself as deep as it can': 'if ask(address()) {} invalid()',
  'burns, then serves a price': 'for {} gt(gas(), 3000) {} { pop(keccak256(0, 1024)) } serve(100)',
  'returns more bytes than there are': 'return(0, not(0))',
  'burns, then returns much': 'for {} gt(gas(), 150000) {} { pop(keccak256(0, 1024)) } return(0, 200000)',
})

/** Try to change the state of other feeds, which a STATICCALL forbids, and then serve a price. */
const writers = compile({
  'sets the states of other feeds': `mstore(0, shl(224, ${set}))
    pop(call(gas(), ${second}, 0, 0, 196, 0, 0)) pop(call(gas(), ${last}, 0, 0, 196, 0, 0)) serve(100)`,
})

/** Serve what they see. */
const observers = compile({
  'serves its gas': 'serve(gas())',
  'reverts with less gas than others have': 'if lt(gas(), 590000) { revert(0, 0) } serve(100)',
  'serves its caller': 'serve(caller())',
  'serves a price to one function alone': `if iszero(eq(shr(224, calldataload(0)), ${detail})) { invalid() } serve(100)`,
})

/** Use other feeds, with another row where these were read before them. */
const callers = compile({
  'returns what another feed returns': `if ask(${second}) { return(0, returndatasize()) } revert(0, 4)`,
  'calls a feed before and one after it': `pop(ask(${second})) pop(ask(${last})) serve(100)`,
}).map(feed => ({ ...feed, varies: true }) as const)

const toAddress = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`

/** Addresses of which none has code. */
export const addressesWithoutCode: readonly HostileFeed[] = [
  { name: 'has no code', address: toAddress(0xdead) },
  { name: 'is the precompile of the identity', address: toAddress(4) },
  { name: 'is the precompile of P-256', address: toAddress(0x100) },
]

/** Every hostile contract. */
export const hostileFeeds: readonly HostileFeed[] = [
  ...bombs,
  ...burners,
  ...writers,
  ...observers,
  ...callers,
  { name: 'has 100,000 bytes', code: `0x${'5b'.repeat(100_000)}` },
  { name: 'delegates to another feed (EIP-7702)', code: `0xef0100${second.slice(2)}`, varies: true },
  { name: 'is ArbSys', address: toAddress(0x64) },
]
