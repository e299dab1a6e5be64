import type { ExactRecord } from '../data/responses.ts'

/** Formats the shell command that makes the call of a lending market, at the block of a record. */
export function toCastLine({ feed, block }: Pick<ExactRecord, 'feed' | 'block'>, rpcUrl: string): string {
  const signature = 'latestRoundData()(uint80,int256,uint256,uint256,uint80)'
  return `cast call ${feed} '${signature}' --block ${block} --rpc-url ${rpcUrl}`
}
