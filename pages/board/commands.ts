import type { ShownRecord } from './price-response.ts'

const signatures = {
  latestDetail: 'latestDetail()((uint8,int256,uint64),int256,uint256)',
  latestRoundData: 'latestRoundData()(uint80,int256,uint256,uint256,uint80)',
}

/** Formats the shell command that requests a URL. A quote in the URL is encoded, so that it cannot end the shell's quote. */
export function toCurlLine(url: string): string {
  return `curl '${url.replaceAll("'", '%27')}'`
}

/** Formats the shell command that calls a function of the feed, at the block of the record. */
export function toCastLine(
  name: keyof typeof signatures,
  { feed, block }: Pick<ShownRecord, 'feed' | 'block'>,
  rpcUrl: string,
): string {
  return `cast call ${feed} '${signatures[name]}' --block ${block} --rpc-url ${rpcUrl}`
}
