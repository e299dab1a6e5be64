/**
 * The feed contract, for viem: an independent encoder and decoder of what the tests compare.
 *
 * `answer` and `sharePrice` have 8 decimals, `multiplier` 18.
 */
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
