import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** A loopback server in the place of a node, which says whatever a test wants it to. */
export interface SickNode extends AsyncDisposable {
  readonly url: URL
  /** The bodies of the requests that came, in their order. */
  readonly requests: string[]
}

/** Starts a node that answers each request with the listener. */
export async function startSickNode(answer: (response: http.ServerResponse, body: string) => void): Promise<SickNode> {
  const requests: string[] = []
  const server = http.createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const body = Buffer.concat(parts).toString()
    requests.push(body)
    answer(response, body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/KEY`),
    requests,
    [Symbol.asyncDispose]: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Answers a request's own envelope with a result. */
export function toReply(body: string, result: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, result })
}
