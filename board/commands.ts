import type { ShownRecord } from './exact-json.ts'
import type { NetworkName } from './view-state.ts'

/** The chains' public RPC URLs, which anyone may ask. */
const publicRpcUrls: Readonly<Record<NetworkName, string>> = {
  mainnet: 'https://rpc.mainnet.chain.robinhood.com',
  testnet: 'https://rpc.testnet.chain.robinhood.com',
}

const signatures = [
  'latestDetail()((uint8,int256,uint64),int256,uint256)',
  'latestRoundData()(uint80,int256,uint256,uint256,uint80)',
]

/** Gives the line that asks the API for the record again; a quote in the URL, which URLs may have, cannot end the shell's. */
export function toCurlLine(url: string): string {
  return `curl '${url.replaceAll("'", '%27')}'`
}

/** Gives the lines that ask the chain itself for what the record says, at the record's block. */
export function toCastLines({ feed, block }: Pick<ShownRecord, 'feed' | 'block'>, network: NetworkName): string[] {
  return signatures.map(
    signature => `cast call ${feed} '${signature}' --block ${block} --rpc-url ${publicRpcUrls[network]}`,
  )
}
