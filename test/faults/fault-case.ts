import type http from 'node:http'
import type { Socket } from 'node:net'
import type { FaultKind } from '../../lambda/faults.ts'
import type { PriceRecord } from '../../lambda/feeds/price-record.ts'
import { canary } from '../chain/faulty-node.ts'

/** What a case has beside the request. */
interface Surroundings {
  /** A server that the service must never connect to. */
  readonly trapUrl: URL
  /** Forwards the request to the real node and returns the text of its reply. */
  readonly forward: () => Promise<string>
}

/** Answers a request with one fault. */
export type Answer = (response: http.ServerResponse, request: string, surroundings: Surroundings) => unknown

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

/** Makes the cases of one kind from their rows. A row without an expectation has the usual one of its kind. */
export function toCases(
  kind: string,
  usual: Expected,
  rows: readonly (readonly [name: string, answer: Answer, expected?: Expected, options?: Options])[],
): FaultCase[] {
  return rows.map(([name, answer, expected = usual, options]) => ({ kind, name, answer, expected, ...options }))
}

/** Answers with the text of the correct reply, changed. */
export function replyText(change: (text: string) => string | Buffer, headers: Record<string, string> = {}): Answer {
  return async (response, _, { forward }) => response.writeHead(200, headers).end(change(await forward()))
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
export function redirect(code: number, toLocation: (trapUrl: URL) => string = ({ href }) => href): Answer {
  return (response, _, { trapUrl }) =>
    response.writeHead(code, { Location: toLocation(trapUrl) }).end(`moved ${canary}`)
}

/** Writes to the connection, below HTTP. Gets the text of the correct reply. */
export function raw(write: (socket: Socket, text: string) => unknown): Answer {
  return async ({ req: { socket } }, _, { forward }) => await write(socket, await forward())
}
