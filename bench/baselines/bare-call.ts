import http from 'node:http'
import { text } from 'node:stream/consumers'

/** The limit: makes one `eth_call` with `fetch`, reads the reply, and checks nothing. */
export function bareFetch(rpcUrl: string, body: string): () => Promise<string> {
  const headers = { 'Content-Type': 'application/json' }
  return async () => {
    const response = await fetch(rpcUrl, { method: 'POST', headers, body })
    const { result }: { result: string } = JSON.parse(await response.text())
    return result
  }
}

/** The same limit with `node:http`, on a kept connection. */
export function bareHttp(rpcUrl: string, body: string): () => Promise<string> {
  const agent = new http.Agent({ keepAlive: true })
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
  return async () => {
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      http.request(rpcUrl, { method: 'POST', headers, agent }, resolve).on('error', reject).end(body)
    })
    const { result }: { result: string } = JSON.parse(await text(response))
    return result
  }
}
