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

/** Multicall3: many calls as one, and what it knows of the block. (Its `getBlockNumber` would be the L1's.) */
export const multicallAbi = [
  {
    type: 'function',
    name: 'aggregate3',
    stateMutability: 'payable',
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
    outputs: [
      {
        name: 'returnData',
        type: 'tuple[]',
        components: [
          { name: 'success', type: 'bool' },
          { name: 'returnData', type: 'bytes' },
        ],
      },
    ],
  },
  {
    type: 'function',
    name: 'getChainId',
    stateMutability: 'view',
    inputs: [],
    outputs: [{ name: 'chainid', type: 'uint256' }],
  },
  {
    type: 'function',
    name: 'getCurrentBlockTimestamp',
    stateMutability: 'view',
    inputs: [],
    outputs: [{ name: 'timestamp', type: 'uint256' }],
  },
] as const

/** Arbitrum's precompile that knows the chain's own (L2) block number. */
export const arbSysAbi = [
  {
    type: 'function',
    name: 'arbBlockNumber',
    stateMutability: 'view',
    inputs: [],
    outputs: [{ name: 'number', type: 'uint256' }],
  },
] as const
