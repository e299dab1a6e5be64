import type http from 'node:http'
import type { Socket } from 'node:net'
import type { FaultKind } from '../../lambda/faults.ts'
import type { PriceRecord } from '../../lambda/feeds/price-record.ts'

/** A text in every URL, header and body of a node. Where the service outputs it, something leaked (D25). */
export const canary = 'CANARY-b71e'

/** One request at a faulty node. */
interface Exchange {
  readonly request: string
  readonly response: http.ServerResponse
  readonly socket: Socket
  /** A server that the service must never connect to. */
  readonly trapUrl: URL
  /** Forwards the request to the real node and returns the text of its reply. */
  readonly forward: () => Promise<string>
}

/** Answers a request with one fault. */
export type Answer = (exchange: Exchange) => unknown

/**
 * What the service makes of the feed of a case, at one endpoint alone.
 *
 * A fault is 503 and named in the log only. `unreadable` is 502, with its reason. A record is 200: the correct one but for these fields.
 */
export type Expected = FaultKind | { readonly unreadable: string } | { readonly record: Partial<PriceRecord> }

interface Options {
  /** Takes longer than the hedging delay. */
  readonly slow?: boolean
  /** What the service makes of it in a list, if that differs. */
  readonly inList?: Expected
  /** Why no request can reach the endpoint. */
  readonly unreachable?: 'no listener' | 'unknown host' | 'no TLS'
}

/** One way in which a node fails, and what the service makes of it. */
export interface FaultCase extends Options {
  readonly kind: string
  readonly name: string
  readonly answer: Answer
  readonly expected: Expected
}

/** Makes the cases of one kind from their rows. */
export function toCases(
  kind: string,
  rows: readonly (readonly [name: string, answer: Answer, expected: Expected, options?: Options])[],
): FaultCase[] {
  return rows.map(([name, answer, expected, options]) => ({ kind, name, answer, expected, ...options }))
}

/** Answers with a page. */
export function page(status: number, body: string | Buffer = '', headers: Record<string, string> = {}): Answer {
  return ({ response }) => response.writeHead(status, { 'X-Node': canary, ...headers }).end(body)
}

/** Answers with a JSON-RPC error. */
export function rpcError(
  code: number,
  message: string,
  { data, status = 200 }: { data?: unknown; status?: number } = {},
): Answer {
  return ({ request, response }) => {
    const error = { code, message: `${message} ${canary}`, data }
    const reply = JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(request).id, error })
    response.writeHead(status, { 'X-Node': canary }).end(reply)
  }
}

/** Answers with the text of the correct reply, changed. */
export function replyText(change: (text: string) => string | Buffer, headers: Record<string, string> = {}): Answer {
  return async ({ response, forward }) => {
    const text = change(await forward())
    response.writeHead(200, { 'X-Node': canary, ...headers }).end(text)
  }
}

/** Answers with the correct reply, changed as JSON. */
export function reply(change: (reply: Record<string, unknown>) => unknown): Answer {
  return replyText(text => JSON.stringify(change(JSON.parse(text))))
}

/** Answers with another result. */
export function result(other: unknown): Answer {
  return reply(correct => ({ ...correct, result: other, note: canary }))
}

/** Answers with a redirect. */
export function redirect(status: number, toLocation: (trapUrl: URL) => string = ({ href }) => href): Answer {
  return ({ response, trapUrl }) =>
    response.writeHead(status, { Location: toLocation(trapUrl), 'X-Node': canary }).end(`moved ${canary}`)
}

/** Writes to the connection, below HTTP. Gets the text of the correct reply. */
export function raw(write: (socket: Socket, text: string) => unknown): Answer {
  return async ({ socket, forward }) => await write(socket, await forward())
}

/** Never answers. */
export const silence: Answer = () => {}
