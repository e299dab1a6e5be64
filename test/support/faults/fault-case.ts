import type { Socket } from 'node:net'
import type { Hex } from 'viem'
import type { FaultKind } from '../../../lambda/faults.ts'
import type { FailedReading, FeedReading } from '../../../lambda/feeds/reading.ts'
import { correct, toCorrectResult } from '../chain/correct-node.ts'
import { type Respond, secret, startFaultyNode, toReply } from '../chain/faulty-node.ts'

/**
 * What a read returns of the first feed of a request, at one endpoint alone: the endpoint's fault, why the feed is
 * unreadable, or the correct reading but for these fields.
 */
export type Expected = FaultKind | Omit<FailedReading, 'feed'> | Partial<Pick<FeedReading, 'detail' | 'roundData'>>

/** The origin of a URL at which no request can reach the node with this port. */
type ToOrigin = (port: string) => string

/** One way in which a node fails, and what a read returns then. */
export interface FaultCase {
  readonly title: string
  readonly respond: Respond
  readonly expected: Expected
  readonly toOrigin: ToOrigin | undefined
}

/** Makes the cases of a group from their rows. A row without an expectation has the usual one of its group. */
export function toCases(
  group: string,
  usual: Expected,
  rows: readonly (readonly [name: string, respond: Respond, expected?: Expected, toOrigin?: ToOrigin])[],
): FaultCase[] {
  return rows.map(([name, respond, expected = usual, toOrigin]) => {
    const title = `${group}: ${name}`
    return { title, respond, expected, toOrigin }
  })
}

const correctText = (body: string): string => toReply(body, toCorrectResult('mainnet', body))

/** Responds with the text of the correct reply, changed. */
export function replyText(
  change: (text: string) => string | Buffer,
  headers: Record<string, string> = {},
  status = 200,
): Respond {
  return (response, body) => response.writeHead(status, headers).end(change(correctText(body)))
}

/** Responds with the correct reply, changed as JSON. */
export function reply(change: (reply: Record<string, unknown>) => unknown): Respond {
  return replyText(text => JSON.stringify(change(JSON.parse(text))))
}

/** Responds with another result. */
export function result(value: unknown): Respond {
  return reply(correct => ({ ...correct, result: value, note: secret }))
}

/** Responds with the correct output of the program, changed. */
export function output(change: (correct: Hex) => Hex): Respond {
  return (response, body) => response.end(toReply(body, change(toCorrectResult('mainnet', body))))
}

/** Writes to the connection, below HTTP. Gets the text of the correct reply. */
export function raw(write: (socket: Socket, text: string) => unknown): Respond {
  return (response, body) => write(response.req.socket, correctText(body))
}

/** Starts a node that responds like a case, or correctly after its first response. Its URL has a key. */
export async function startCase(
  { respond, toOrigin = port => `http://127.0.0.1:${port}` }: FaultCase,
  { failsOnce = false } = {},
) {
  const node = await startFaultyNode((response, body) => {
    response.setHeader('X-Node', secret)
    return (failsOnce && node.requests.length > 1 ? correct : respond)(response, body)
  })
  return { ...node, url: new URL(`${toOrigin(node.url.port)}/${secret}-KEY/v2?key=${secret}`) }
}
