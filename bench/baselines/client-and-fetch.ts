import { GetParametersCommand, SSMClient } from '@aws-sdk/client-ssm'

const client = new SSMClient()

/** What a first version would be: the stock client reads the URL, `fetch` makes the `eth_call`, and nothing is checked. */
export async function handler(): Promise<{ statusCode: number; body: string }> {
  const names = [process.env['RPC_URLS_PARAMETER_MAINNET'] ?? '']
  const { Parameters = [] } = await client.send(new GetParametersCommand({ Names: names, WithDecryption: true }))
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(Parameters[0]?.Value ?? '', {
    method: 'POST',
    headers,
    body: process.env['ETH_CALL'] ?? '',
  })
  return { statusCode: response.status, body: await response.text() }
}
