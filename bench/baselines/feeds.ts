import { type Address, parseAbi } from 'viem'
import { readVariable } from './inputs.ts'

export const addresses: readonly Address[] = JSON.parse(readVariable('FEEDS'))

export const feedAbi = parseAbi([
  'struct Quote { uint8 status; int256 answer; uint64 observedAt; }',
  'function latestDetail() view returns (Quote quote, int256 sharePrice, uint256 multiplier)',
  'function latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)',
])

export function toJson(reading: unknown): string {
  return JSON.stringify(reading, (_, value) => (typeof value === 'bigint' ? value.toString() : value))
}
