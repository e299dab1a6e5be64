import type http from 'node:http'
import type { Socket } from 'node:net'

/** Stands in every URL, and in whatever a node says: where it is seen, something leaked (D25). */
export const canary = 'CANARY-b71e'

/** One request that came to a fault server, and what it takes to answer it. */
export interface Exchange {
  readonly request: string
  readonly response: http.ServerResponse
  readonly socket: Socket
  /** A server that nobody may ever be sent to. */
  readonly trapUrl: URL
  /** Asks the real node, and gives its reply word for word. */
  readonly askNode: () => Promise<string>
}

/** Plays one shape of failure. */
export type Answer = (exchange: Exchange) => void | Promise<void>

/** A reply of JSON-RPC, as it came. */
type Reply = Record<string, unknown>

const idOf = (request: string): unknown => JSON.parse(request).id

/** Answers with a page, whatever was asked. */
export function page(status: number, body: string | Buffer = '', headers: Record<string, string> = {}): Answer {
  return ({ response }) => void response.writeHead(status, { 'X-Node': canary, ...headers }).end(body)
}

/** Answers with an error of JSON-RPC; whatever it says, it says the canary too. */
export function rpcError(error: { code: unknown; message: string; data?: unknown }, status = 200): Answer {
  return ({ request, response }) => {
    const said = { ...error, message: `${error.message} ${canary}` }
    response
      .writeHead(status, { 'X-Node': canary })
      .end(JSON.stringify({ jsonrpc: '2.0', id: idOf(request), error: said }))
  }
}

/** Answers with what becomes of the true reply, as text. */
export function replyText(change: (text: string) => string | Buffer, headers: Record<string, string> = {}): Answer {
  return async ({ response, askNode }) => {
    const text = change(await askNode())
    response.writeHead(200, { 'X-Node': canary, ...headers }).end(text)
  }
}

/** Answers with what becomes of the true reply, as JSON. */
export function reply(change: (reply: Reply) => unknown): Answer {
  return replyText(text => JSON.stringify(change(JSON.parse(text))))
}

/** Answers with another result than the true one. */
export function result(other: unknown): Answer {
  return reply(told => ({ ...told, result: other, said: canary }))
}

/** Sends elsewhere. */
export function redirect(status: number, toLocation: (trapUrl: URL) => string = ({ href }) => href): Answer {
  return ({ response, trapUrl }) => {
    response.writeHead(status, { Location: toLocation(trapUrl), 'X-Node': canary }).end(`moved ${canary}`)
  }
}

/** Writes to the connection itself, below HTTP; is told the true reply. */
export function raw(write: (socket: Socket, text: string) => void | Promise<void>): Answer {
  return async ({ socket, askNode }) => await write(socket, await askNode())
}

/** Says nothing at all. */
export const silence: Answer = () => {}
