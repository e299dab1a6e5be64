import { type Address, type Hex, toFunctionSelector } from 'viem'
import { feedsOf } from '../../../lambda/feeds/registry.ts'
import { compileYul } from '../chain/compile.ts'

/** A hostile contract, or an address that a feed cannot have. */
export interface HostileFeed {
  readonly name: string
  readonly code?: Hex
  readonly address?: Address
  /** Its own row depends on its storage, or on the feeds that were read before it. */
  readonly varies?: true
}

/** Feeds of the list that hostile ones use: the second and the last but one. */
const [other = '0x', last = '0x'] = [feedsOf('mainnet').at(1)?.address, feedsOf('mainnet').at(-2)?.address]

const word = (value: bigint | number) => value.toString(16).padStart(64, '0')
const arbSys = 0x64
const detail = 0x4d8b59fb
const set = toFunctionSelector('set(((uint8,int256,uint64),int256,uint256,bool))')
const setReverts = toFunctionSelector('setReverts(bytes4,bool)')

/** Functions for the bodies below. `serve` returns a price with this answer. */
const prelude = `
  function serve(answer) {
    mstore(0, 0) mstore(32, answer) mstore(64, 1700000000) mstore(96, 100) mstore(128, 1000000000000000000)
    return(0, 160)
  }
  function ask(to, selector) -> success {
    mstore(0, shl(224, selector))
    success := staticcall(gas(), to, 0, 4, 0, 160)
  }
  function use(precompile, size) { if iszero(staticcall(gas(), precompile, 0, size, 0x8000, 64)) { invalid() } }`

const compile = (name: string, body: string, rest: Pick<HostileFeed, 'varies'> = {}): HostileFeed => ({
  name,
  code: compileYul(`object "Feed" { code { ${body} ${prelude} } }`, { evmVersion: 'cancun' }),
  ...rest,
})
const compileAll = (bodies: Record<string, string>, rest?: Pick<HostileFeed, 'varies'>) =>
  Object.entries(bodies).map(([name, body]) => compile(name, body, rest))

/** Bytes around each limit, then what takes nearly all of the gas of a call, and more than all. */
const sizes = [0, 1, 3, 4, 32, 159, 160, 161, 24_577, 500_000, 2 ** 32, 2n ** 256n - 1n]

const bombs = sizes.flatMap(size => [
  compile(`returns ${size} bytes`, `return(0, ${size})`),
  compile(`reverts with ${size} bytes`, `mstore(0, not(0)) revert(0, ${size})`),
])

/** Use all of their gas, or nearly all: at once, step by step, in calls of calls, before a price, before much data. */
export const burners: readonly HostileFeed[] = [
  { name: 'runs an invalid opcode', code: '0xfe' },
  ...compileAll({
    'jumps for ever': 'for {} 1 {} {}',
    'calls itself as deep as it can': `if ask(address(), ${detail}) {} invalid()`,
    'burns, then serves a price': 'for {} gt(gas(), 3000) {} { pop(keccak256(0, 1024)) } serve(100)',
    'burns, then returns much': 'for {} gt(gas(), 150000) {} { pop(keccak256(0, 1024)) } return(0, 200000)',
  }),
]

/** Break a rule of the EVM, or return what is not theirs to choose. */
const oddities = compileAll({
  'copies return data beyond its end': 'returndatacopy(0, 0, 1) serve(100)',
  'returns its own code': 'codecopy(0, 0, codesize()) return(0, codesize())',
})

/** Try to change the state, which a STATICCALL forbids, and then serve a price. */
const writers = compileAll({
  'writes a slot': 'sstore(0, add(sload(0), 1)) serve(sload(0))',
  'writes a transient slot': 'tstore(0, add(tload(0), 1)) serve(tload(0))',
  'logs nothing': 'log0(0, 0) serve(100)',
  'logs four topics': 'log4(0, 32, 1, 2, 3, 4) serve(100)',
  'creates a contract': 'pop(create(0, 0, 0)) serve(100)',
  'creates a contract at a fixed address': 'pop(create2(0, 0, 0, 1)) serve(100)',
  'destroys itself': 'selfdestruct(caller())',
  'sends value': 'pop(call(gas(), caller(), 1, 0, 0, 0, 0)) serve(100)',
  'sets the state of another feed': `mstore(0, shl(224, ${set}))
    pop(call(gas(), ${other}, 0, 0, 196, 0, 0)) serve(100)`,
  'makes other feeds revert': `mstore(0, shl(224, ${setReverts})) mstore(4, shl(224, ${detail})) mstore(36, 1)
    pop(call(gas(), ${other}, 0, 0, 68, 0, 0)) pop(call(gas(), ${last}, 0, 0, 68, 0, 0)) serve(100)`,
  'runs the setter of another feed on its own state': `mstore(0, shl(224, ${set}))
    pop(delegatecall(gas(), ${other}, 0, 196, 0, 0)) pop(callcode(gas(), ${other}, 0, 0, 196, 0, 0)) serve(100)`,
})

/** Serve what they see. */
const observers = compileAll({
  'reverts with less gas than others have': 'if lt(gas(), 590000) { revert(0, 0) } serve(100)',
  'serves its gas': 'serve(gas())',
  'serves its caller': 'serve(caller())',
  'reverts for a caller without code': 'if iszero(extcodesize(caller())) { revert(0, 0) } serve(100)',
  'serves the balance of its caller': 'serve(balance(caller()))',
  'serves the origin': 'serve(origin())',
  'serves the time': 'serve(timestamp())',
  'serves the block': 'serve(number())',
  'serves the coinbase': 'serve(coinbase())',
  'serves the randomness': 'serve(prevrandao())',
  'serves the last hash': 'serve(blockhash(sub(number(), 1)))',
  'serves the gas price': 'serve(add(gasprice(), basefee()))',
  'serves the bytes of its input': 'serve(calldatasize())',
  'serves a price to one function alone': `if iszero(eq(shr(224, calldataload(0)), ${detail})) { invalid() }
    serve(100)`,
  'serves a price to the other function alone': `if eq(shr(224, calldataload(0)), ${detail}) { invalid() } serve(100)`,
  'reads its first transient slot': 'serve(tload(0))',
  'finds its second call by its warm slot': 'let before := gas() pop(sload(0)) serve(sub(before, gas()))',
})

const callers = compileAll(
  {
    'reads its first slot': 'serve(sload(0))',
    'calls its caller': 'mstore(0, 1) pop(staticcall(gas(), caller(), 0, 32, 0, 160)) serve(returndatasize())',
    'calls ArbSys': `if iszero(ask(${arbSys}, 0xa3b1b31d)) { revert(0, 0) } serve(mload(0))`,
    'returns what another feed returns': `if ask(${other}, ${detail}) { return(0, returndatasize()) } revert(0, 4)`,
    'runs another feed on its own state': `mstore(0, calldataload(0))
      pop(delegatecall(gas(), ${other}, 0, 4, 0, 160)) return(0, 160)`,
    'calls every feed before and after it': `pop(ask(${other}, ${detail})) pop(ask(${last}, ${detail})) serve(100)`,
    'starves another feed': `pop(staticcall(700, ${other}, 0, 4, 0, 0))
      pop(staticcall(5000, ${last}, 0, 4, 0, 0)) serve(100)`,
    'finds the feeds that were read by their warm addresses': `let before := gas()
      pop(extcodesize(${other})) serve(sub(before, gas()))`,
    'warms slots of another feed': `pop(ask(${last}, ${detail})) serve(100)`,
  },
  { varies: true },
)

const code = (hex: string): Hex => `0x${hex}`

/** Code that no compiler writes. */
const codes: readonly HostileFeed[] = [
  { name: 'stops', code: code('00') },
  { name: 'takes from an empty stack', code: code('50') },
  { name: 'overflows the stack', code: code('5b5f5f600056') },
  { name: 'jumps to no destination', code: code('5f56') },
  { name: 'is an unknown opcode', code: code('0c') },
  { name: 'ends within an instruction', code: code('7f') },
  { name: 'begins with 0xEF', code: code('ef0001') },
  { name: 'has 24,576 bytes', code: code('5b'.repeat(24_576)) },
  { name: 'has 100,000 bytes', code: code('5b'.repeat(100_000)) },
  { name: 'delegates to another feed (EIP-7702)', code: code(`ef0100${other.slice(2)}`), varies: true },
  { name: 'delegates to a precompile (EIP-7702)', code: code(`ef0100${word(4).slice(24)}`) },
  { name: 'delegates to an address without code (EIP-7702)', code: code(`ef0100${word(0xdead).slice(24)}`) },
]

/** Addresses of which none has code. */
export const addressesWithoutCode: readonly HostileFeed[] = [
  ['has no code', 0xdead],
  ['is the address 0', 0],
  ['is the precompile of ecrecover', 1],
  ['is the precompile of SHA-256', 2],
  ['is the precompile of the identity', 4],
  ['is the precompile of BN254’s pairing', 8],
  ['is the precompile of BLAKE2', 9],
  ['is the precompile of P-256', 0x100],
].map(([name, address]) => ({ name: `${name}`, address: `0x${word(Number(address)).slice(24)}` }))

/** Every hostile contract. */
export const hostileFeeds: readonly HostileFeed[] = [
  ...bombs,
  ...burners,
  ...oddities,
  ...writers,
  ...observers,
  ...callers,
  ...codes,
  { name: 'is ArbSys', address: `0x${word(arbSys).slice(24)}` },
]
