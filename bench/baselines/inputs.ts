import { GetParametersCommand, SSMClient } from '@aws-sdk/client-ssm'

const client = new SSMClient()

export async function loadRpcUrl(): Promise<string> {
  const names = [readVariable('RPC_URLS_PARAMETER_MAINNET')]
  const { Parameters } = await client.send(new GetParametersCommand({ Names: names, WithDecryption: true }))
  const rpcUrl = Parameters?.[0]?.Value
  if (rpcUrl === undefined) throw new Error('The parameter with the RPC URL does not exist.')
  return rpcUrl
}

export function readVariable(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`The variable ${name} is missing.`)
  return value
}
