/** The functions and errors of the feed contract that are used. `answer` and `sharePrice` have 8 decimals, `multiplier` 18. */
export const feedAbi = [
  {
    type: 'function',
    name: 'latestDetail',
    stateMutability: 'view',
    inputs: [],
    outputs: [
      {
        name: 'quote',
        type: 'tuple',
        components: [
          { name: 'status', type: 'uint8' },
          { name: 'answer', type: 'int256' },
          { name: 'observedAt', type: 'uint64' },
        ],
      },
      { name: 'sharePrice', type: 'int256' },
      { name: 'multiplier', type: 'uint256' },
    ],
  },
  {
    type: 'function',
    name: 'latestRoundData',
    stateMutability: 'view',
    inputs: [],
    outputs: [
      { name: 'roundId', type: 'uint80' },
      { name: 'answer', type: 'int256' },
      { name: 'startedAt', type: 'uint256' },
      { name: 'updatedAt', type: 'uint256' },
      { name: 'answeredInRound', type: 'uint80' },
    ],
  },
  { type: 'error', name: 'FeedUnavailable', inputs: [{ name: 'status', type: 'uint8' }] },
  { type: 'error', name: 'NoHistory', inputs: [] },
] as const

/** `aggregate3` of Multicall3. @see https://www.multicall3.com */
export const aggregate3 = {
  inputs: [
    {
      name: 'calls',
      type: 'tuple[]',
      components: [
        { name: 'target', type: 'address' },
        { name: 'allowFailure', type: 'bool' },
        { name: 'callData', type: 'bytes' },
      ],
    },
  ],
} as const

/** Function selectors. As literals, which a test proves, they cost a cold start no hashing. */
export const selectors = {
  aggregate3: '0x82ad56cb',
  /** Of Multicall3. Its `getBlockNumber` returns the L1 number on an Arbitrum chain. */
  getChainId: '0x3408e470',
  getCurrentBlockTimestamp: '0x0f28c97d',
  /** Of ArbSys, the precompile with the chain's own (L2) block number. */
  arbBlockNumber: '0xa3b1b31d',
  latestDetail: '0x4d8b59fb',
  latestRoundData: '0xfeaf968c',
} as const
