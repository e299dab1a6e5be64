import { createHash, createHmac } from 'node:crypto'
import { post, type Reply } from './post.ts'

/** The floor: the one request to Parameter Store without the SDK, then the `eth_call`; nothing is checked or tried again. */
export async function handler(): Promise<Reply> {
  const names = [process.env['RPC_URLS_PARAMETER_MAINNET'] ?? '']
  const body = JSON.stringify({ Names: names, WithDecryption: true })
  const url = process.env['AWS_ENDPOINT_URL_SSM'] ?? ''
  const { body: answer } = await post(url, sign(new URL(url).host, body, new Date()), body)
  const { Parameters = [] }: { Parameters?: readonly { Value: string }[] } = JSON.parse(answer)
  return post(Parameters[0]?.Value ?? '', { 'Content-Type': 'application/json' }, process.env['ETH_CALL'] ?? '')
}

/** Signs a request for `GetParameters` as AWS has it (Signature Version 4). */
export function sign(host: string, body: string, at: Date): Readonly<Record<string, string>> {
  const { AWS_REGION = '', AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '', AWS_SESSION_TOKEN = '' } = process.env
  const time = at.toISOString().replace(/[-:]|\.\d+/g, '')
  const headers: Record<string, string> = {
    'content-type': 'application/x-amz-json-1.1',
    host,
    'x-amz-date': time,
    'x-amz-security-token': AWS_SESSION_TOKEN,
    'x-amz-target': 'AmazonSSM.GetParameters',
  }
  const signed = Object.keys(headers).join(';')
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`)
  const request = ['POST', '/', '', lines.join(''), signed, hash(body)].join('\n')
  const scope = [time.slice(0, 8), AWS_REGION, 'ssm', 'aws4_request']
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${AWS_SECRET_ACCESS_KEY}`)
  const signature = hmac(key, ['AWS4-HMAC-SHA256', time, scope.join('/'), hash(request)].join('\n')).toString('hex')
  const credential = `${AWS_ACCESS_KEY_ID}/${scope.join('/')}`
  headers['authorization'] =
    `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${signed}, Signature=${signature}`
  return headers
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
