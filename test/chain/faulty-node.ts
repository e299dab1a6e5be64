import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** A loopback server in the place of an RPC node. */
export interface FaultyNode extends AsyncDisposable {
  readonly url: URL
  /** The bodies of the requests in the order of their arrival. */
  readonly requests: string[]
}

/** Starts a node that answers each request with the listener. */
export async function startFaultyNode(
  answer: (response: http.ServerResponse, body: string) => void,
): Promise<FaultyNode> {
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

/** Starts a node that forwards every request to another, which may change it first. */
export function startProxyNode(
  rpcUrl: string,
  change: (request: string) => string | Promise<string> = request => request,
): Promise<FaultyNode> {
  return startFaultyNode(async (response, request) => void response.end(await forward(rpcUrl, await change(request))))
}

/** Sends a request to a node and returns the text of its reply. */
export async function forward(rpcUrl: string, body: string): Promise<string> {
  const headers = { 'Content-Type': 'application/json' }
  return await (await fetch(rpcUrl, { method: 'POST', headers, body })).text()
}

/** Replies to a request with a result. */
export function toReply(body: string, result: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, result })
}

/** Replies to a request with a JSON-RPC error. */
export function toErrorReply(body: string, code: number): string {
  return JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, error: { code, message: 'a message of the node' } })
}

/** The block tag of a request: `latest`, or the number of a pinned block. */
export function blockOf(body: string): string {
  return JSON.parse(body).params[1]
}

/** How many feeds a request reads: each has the selector of `latestDetail()` once. */
export function countFeeds(body: string): number {
  return body.split('4d8b59fb').length - 1
}
