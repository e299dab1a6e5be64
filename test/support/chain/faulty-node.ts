import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'

/** A text that faulty nodes send. If the service outputs it, a text of a node has leaked. */
export const secret = 'SECRET-b71e'

/** A loopback server in the place of an RPC node or another upstream. */
export type FaultyNode = Awaited<ReturnType<typeof startFaultyNode>>

/** Responds to one request with this body, or not at all. */
export type Respond = (response: http.ServerResponse, body: string) => unknown

/** Starts a node that responds to each request with the function, over TLS if there is a certificate. */
export async function startFaultyNode(respond: Respond, tls?: https.ServerOptions) {
  /** The bodies of the requests in the order of their arrival. */
  const requests: string[] = []
  const open = new Set<Socket>()
  let opened = 0
  const listener: http.RequestListener = async (request, response) => {
    const body = await text(request).catch(() => undefined)
    if (body === undefined) return
    requests.push(body)
    try {
      await respond(response, body)
    } catch (error) {
      // An aborted request may outlive the test, and with it the chain behind this node.
      if (!response.destroyed) throw error
    }
  }
  const server = tls === undefined ? http.createServer(listener) : https.createServer(tls, listener)
  // Idle connections have no time limit, for the reason in local/server.ts.
  server.keepAliveTimeout = 0
  server.on('connection', (socket: Socket) => {
    opened += 1
    open.add(socket)
    socket.on('error', () => {}).on('close', () => open.delete(socket))
  })
  /** Refuses connections from now on, and breaks the open ones. */
  const stop = async (): Promise<void> => {
    if (!server.listening) return
    server.close()
    for (const socket of open) socket.destroy()
    await once(server, 'close')
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  // The port may have been that of an earlier node, which is still preferred by its URL.
  const path = `KEY/${randomUUID()}`
  return {
    url: new URL(`${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}/${path}`),
    requests: requests as readonly string[],
    countOpened: () => opened,
    countOpen: () => open.size,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** Starts a node that forwards every request to another, and may change it first. */
export function startProxyNode(
  rpcUrl: string,
  change: (request: string) => string | Promise<string> = request => request,
): Promise<FaultyNode> {
  return startFaultyNode(async (response, request) => response.end(await forward(rpcUrl, await change(request))))
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

/** Responds with a status, a body and headers. */
export const status =
  (code: number, body = '', headers: Record<string, string> = {}): Respond =>
  response =>
    response.writeHead(code, headers).end(body)

/** Responds with a JSON-RPC error. */
export const rpcError =
  (code: unknown, message = 'a message of the node'): Respond =>
  (response, body) => {
    const error = { code, message: `${message} ${secret}` }
    return response.end(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, error }))
  }

/** Never responds. */
export const silence: Respond = () => {}
