import { type Address, type Hex, numberToHex } from 'viem'
import { expect } from 'vitest'
import registry from '../../../lambda/feeds/registry.json' with { type: 'json' }
import { feedsOf } from '../../../lambda/feeds/registry.ts'
import { encodeSet, type StandInFeed } from '../../../local/chains/stand-in-feed.ts'
import { toStandInFeeds } from '../../../local/chains/stand-in-feeds.ts'
import { compileYul } from '../chain/compile.ts'
import { type CallResult, returned, reverted, words } from '../chain/encoding.ts'

/** A hostile contract, or an address that a feed cannot have. */
export interface HostileFeed {
  readonly name: string
  readonly code?: Hex
  readonly address?: Address
  /** How many bytes both of its functions return or revert with. */
  readonly size?: number
  /**
   * Expects that the contract does what its name states when it is called directly.
   *
   * @param call calls `latestDetail()`, or what the options name
   * @param trace calls `latestDetail()` with this much gas, and returns what the call did
   */
  readonly control: (
    call: (options?: CallOptions) => Promise<CallResult>,
    trace: (gas: number) => Promise<Trace>,
  ) => Promise<void>
}

type CallOptions = { readonly [name in 'to' | 'from' | 'data' | 'gas']?: Hex }

/** What a call did, as the `callTracer` of Ethereum's nodes reports it. */
interface Trace {
  readonly gasUsed: Hex
  /** The calls that it made. One that failed has the property `error`. */
  readonly calls?: readonly { readonly type: string; readonly to: Address; readonly input: Hex }[]
}

const toAddress = (number: number): Address => numberToHex(number, { size: 20 })

/** The feeds of the list that hostile feeds call or write to: the second one and the last but one. */
const second = feedsOf('mainnet').at(1)?.address ?? '0x'
const last = feedsOf('mainnet').at(-2)?.address ?? '0x'

/** A state that no feed has. */
const [written] = toStandInFeeds('mainnet', registry.mainnet, 1_700_000_000) as [StandInFeed]

const detail = 0x4d8b59fb

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
const served = (answer: number) => returned(words(0, answer, 1_700_000_000, 100, 10n ** 18n))

const compile = (contracts: Record<string, readonly [body: string, control: HostileFeed['control']]>) =>
  Object.entries(contracts).map(([name, [body, control]]): HostileFeed => {
    const source = `object "Feed" { code { ${body} ${prelude} } data "set" hex"${encodeSet(written).slice(2)}" }`
    return { name, code: compileYul(source, { evmVersion: 'cancun' }), control }
  })

/** Expects the results of direct calls. */
const results =
  (...calls: readonly (readonly [result: CallResult, options?: CallOptions])[]): HostileFeed['control'] =>
  async call => {
    for (const [result, options] of calls) expect(await call(options)).toEqual(result)
  }

/** Contracts with outputs around the size of a valid one, or with one that takes nearly all of the gas of a call. */
const bombs = [0, 4, 160, 161, 500_000].flatMap(size => {
  const ofRevert = 'f'.repeat(64).slice(0, 2 * size)
  return compile({
    [`returns ${size} bytes`]: [`return(0, ${size})`, results([returned(`0x${'00'.repeat(size)}`)])],
    [`reverts with ${size} bytes`]: [
      `mstore(0, not(0)) revert(0, ${size})`,
      results([reverted(`0x${ofRevert.padEnd(2 * size, '0')}`)]),
    ],
  }).map(feed => ({ ...feed, size }))
})

const burns: HostileFeed['control'] = async (_, trace) => {
  const { gasUsed } = await trace(2_000_000)
  expect(Number(gasUsed)).toBeGreaterThan(1_900_000)
}

/**
 * Contracts that use all of their gas, or nearly all: at once, step by step, in calls of calls, before they return a
 * price, or before they return much data.
 */
export const burners = compile({
  'runs an invalid opcode': ['invalid()', burns],
  'jumps for ever': ['for {} 1 {} {}', burns],
  'calls itself as deep as it can': ['if ask(address()) {} invalid()', burns],
  'burns, then serves a price': ['for {} gt(gas(), 3000) {} { pop(keccak256(0, 1024)) } serve(100)', burns],
  'returns more bytes than there are': ['return(0, not(0))', burns],
  'burns, then returns much': ['for {} gt(gas(), 150000) {} { pop(keccak256(0, 1024)) } return(0, 200000)', burns],
})

const set = (to: Address) => `pop(call(200000, ${to}, 0, 0, datasize("set"), 0, 0))`

/** Contracts that try to change the state of other feeds, which a STATICCALL forbids, and then serve a price. */
const writers = compile({
  'sets the states of other feeds': [
    `datacopy(0, dataoffset("set"), datasize("set")) ${set(second)} ${set(last)} serve(100)`,
    async (_, trace) => {
      const { calls = [] } = await trace(1_000_000)
      expect(calls.map(({ type, to, input }) => [type, to, input])).toEqual(
        [second, last].map(to => ['CALL', to.toLowerCase(), encodeSet(written)]),
      )
      for (const call of calls) expect(call).not.toHaveProperty('error')
    },
  ],
})

const withGas = (gas: number) => ({ gas: numberToHex(gas) })

/** Contracts whose result depends on their gas, their caller or the function that is called. */
const observers = compile({
  'serves its gas': [
    'serve(gas())',
    async call => expect(await call(withGas(100_000))).not.toEqual(await call(withGas(100_001))),
  ],
  'reverts with less gas than others have': [
    'if lt(gas(), 590000) { revert(0, 0) } serve(100)',
    results([reverted('0x'), withGas(600_000)], [served(100), withGas(620_000)]),
  ],
  'serves its caller': ['serve(caller())', results([served(0xcafe), { from: toAddress(0xcafe) }])],
  'serves a price to one function alone': [
    `if iszero(eq(shr(224, calldataload(0)), ${detail})) { invalid() } serve(100)`,
    results([served(100)], [reverted('0x'), { data: '0xfeaf968c' }]),
  ],
})

/** Contracts that call other feeds. */
const callers = compile({
  'returns what another feed returns': [
    `if ask(${second}) { return(0, returndatasize()) } revert(0, 4)`,
    async call => expect(await call()).toEqual(await call({ to: second })),
  ],
  'serves how many feeds it could call, before and after it': [
    `let count := ask(${second}) count := add(count, ask(${last})) serve(count)`,
    results([served(2)]),
  ],
})

/** Addresses of which none has code. */
export const addressesWithoutCode: readonly Omit<HostileFeed, 'control'>[] = [
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
  {
    name: 'has 100,000 bytes',
    code: `0x${'5b'.repeat(100_000)}`,
    // 21,000 for a transaction, 16 for each byte of its data, and one for each JUMPDEST.
    control: async (_, trace) => expect(Number((await trace(1_000_000)).gasUsed)).toBe(21_000 + 4 * 16 + 100_000),
  },
  {
    name: 'delegates to another feed (EIP-7702)',
    code: `0xef0100${second.slice(2)}`,
    control: async call => expect((await call()).output).toHaveLength(2 + 320),
  },
  {
    name: 'is ArbSys',
    address: toAddress(0x64),
    control: async call => expect((await call({ data: '0xa3b1b31d' })).output).toHaveLength(2 + 64),
  },
]
