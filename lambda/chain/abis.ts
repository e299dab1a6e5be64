/** The feed contract, as far as we call it. `answer` and `sharePrice` have 8 decimals, `multiplier` 18. */
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

/** Multicall3's `aggregate3`: many calls as one. */
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

/** What each function that we call is called by: proven by a test, so that a cold start need not hash their names. */
export const selectors = {
  aggregate3: '0x82ad56cb',
  /** Of Multicall3. (Its `getBlockNumber` would be the L1's.) */
  getChainId: '0x3408e470',
  getCurrentBlockTimestamp: '0x0f28c97d',
  /** Of Arbitrum's precompile that knows the chain's own (L2) block number. */
  arbBlockNumber: '0xa3b1b31d',
  latestDetail: '0x4d8b59fb',
  latestRoundData: '0xfeaf968c',
} as const
