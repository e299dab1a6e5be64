import { GetParametersCommand, SSMClient } from '@aws-sdk/client-ssm'
import { viemReads } from './viem-reads.ts'

const client = new SSMClient()

/** The usual way, cold: the stock client reads the URL, and viem's public client the feed. */
export async function handler(): Promise<{ statusCode: number; body: string }> {
  const names = [process.env['RPC_URLS_PARAMETER_MAINNET'] ?? '']
  const { Parameters = [] } = await client.send(new GetParametersCommand({ Names: names, WithDecryption: true }))
  const read = viemReads(Parameters[0]?.Value ?? '', [process.env['FEED'] ?? ''], false)
  return { statusCode: 200, body: await read() }
}
