import { parseAbi } from 'viem'

/**
 * The feed contract, for viem: an independent encoder and decoder of what the tests compare.
 *
 * `answer` and `sharePrice` have 8 decimals, `multiplier` 18.
 */
export const feedAbi = parseAbi([
  'struct Quote { uint8 status; int256 answer; uint64 observedAt; }',
  'function latestDetail() view returns (Quote quote, int256 sharePrice, uint256 multiplier)',
  'function latestRoundData() view returns (uint80, int256 answer, uint256, uint256, uint80)',
  'error FeedUnavailable(uint8 status)',
  'error NoHistory()',
])
