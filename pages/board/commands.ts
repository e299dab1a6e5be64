import type { ShownRecord } from './price-response.ts'

const signatures = [
  'latestDetail()((uint8,int256,uint64),int256,uint256)',
  'latestRoundData()(uint80,int256,uint256,uint256,uint80)',
]

/** Formats the shell command that requests a URL. A quote in the URL is encoded, so that it cannot end the shell's quote. */
export function toCurlLine(url: string): string {
  return `curl '${url.replaceAll("'", '%27')}'`
}

/** Formats the shell commands that read the feed on-chain, at the block of the record. */
export function toCastLines({ feed, block }: Pick<ShownRecord, 'feed' | 'block'>, rpcUrl: string): string[] {
  return signatures.map(signature => `cast call ${feed} '${signature}' --block ${block} --rpc-url ${rpcUrl}`)
}
