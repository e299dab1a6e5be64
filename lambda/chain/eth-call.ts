import { randomInt } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import type { Hex } from 'viem'
import { Fault } from '../faults.ts'
import { attemptMs, idleConnectionMs, isWithin } from '../timing.ts'

/** A block's number in hexadecimal digits, or the latest block. */
export type BlockTag = Hex | 'latest'

/** Maximum size of a reply in bytes. The largest valid one, for 58 feeds, has 48,448 hexadecimal digits and its envelope. */
const maxReplyBytes = 65_536

/** Responses of status 1xx before the final one: Node limits the size of each, but not their number. */
const maxInterimResponses = 8

/**
 * JSON-RPC error codes that mean a rate limit.
 *
 * @see https://eips.ethereum.org/EIPS/eip-1474 (-32005)
 * @see https://github.com/EspressoSystems/espresso-network/pull/4838 (-32007, QuickNode)
 * @see https://github.com/base/node/issues/368 (-32016, public nodes)
 * @see https://github.com/reown-com/blockchain-api/pull/1102 (-32029, TheRPC)
 * @see https://docs.blockvision.org/reference/error-code-reference (-32605)
 */
const rateLimitCodes: ReadonlySet<unknown> = new Set([429, -32_005, -32_007, -32_016, -32_029, -32_605])

/**
 * Executes init code with one `eth_call` at one endpoint, with one HTTP request.
 *
 * Bounded in time and size. Follows no redirect and checks the whole JSON-RPC envelope. The request's id is a random number: only a reply to
 * this very request has it, whatever a proxy on the way caches or mixes up.
 *
 * @returns what the init code returned, in lower case
 * @throws {Fault} when the endpoint fails or returns no valid reply
 * @example
 * await ethCall(new URL('https://node.example'), encodeFeedReader(addresses), 'latest', signal)
 */
export async function ethCall(rpcUrl: URL, initCode: Hex, block: BlockTag, signal: AbortSignal): Promise<Hex> {
  const id = randomInt(2 ** 47)
  const request = JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_call', params: [{ data: initCode }, block] })
  return parseReply(await post(rpcUrl, request, signal), id)
}

async function post(rpcUrl: URL, body: string, signal: AbortSignal): Promise<string> {
  const agent = rpcUrl.protocol === 'https:' ? agents['https:'] : agents['http:']
  closeIdleConnections(agent)
  try {
    // The node may have closed a kept connection long ago. Then the request is repeated on a new one.
    const response = (await send(agent, rpcUrl, body, signal)) ?? (await send(false, rpcUrl, body, signal))
    if (response?.statusCode !== 200) throw toStatusFault(response)
    const text = await readBody(response)
    // A body without a length ends with its connection, and so with our own abort.
    signal.throwIfAborted()
    return text
  } catch (error) {
    if (error instanceof Fault) throw error
    throw new Fault(signal.aborted ? 'timeout' : 'unreachable')
  }
}

const agents = { 'http:': new http.Agent({ keepAlive: true }), 'https:': new https.Agent({ keepAlive: true }) }

/** When each connection was last used, by the wall clock: monotonic clocks may stand still while a container is frozen. */
const sentAt = new WeakMap<object, number>()

/** Sends one request. Returns undefined if it broke on a connection that had been used before. */
function send(agent: http.Agent | false, rpcUrl: URL, body: string, signal: AbortSignal) {
  const { request } = rpcUrl.protocol === 'https:' ? https : http
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'User-Agent': 'price-lookup',
  }
  return new Promise<http.IncomingMessage | undefined>((resolve, reject) => {
    const sent = request(rpcUrl, { method: 'POST', headers, signal, agent }, resolve)
    let interimResponses = 0
    sent.on('information', () => {
      interimResponses += 1
      if (interimResponses <= maxInterimResponses) return
      reject(new Fault('oversized'))
      sent.destroy()
    })
    sent.on('socket', socket => sentAt.set(socket, Date.now()))
    sent.on('error', error => (sent.reusedSocket && !signal.aborted ? resolve(undefined) : reject(error)))
    // A connection that is switched to another protocol closes without an error.
    sent.on('close', () => reject(new Fault('unreachable')))
    sent.end(body)
  })
}

function closeIdleConnections(agent: http.Agent): void {
  const sockets = Object.values(agent.freeSockets).flatMap(sameHost => sameHost ?? [])
  for (const socket of sockets) if (!isWithin(idleConnectionMs, sentAt.get(socket) ?? 0)) socket.destroy()
}

/** Makes the fault of a response other than 200. Reads a short body to its end, if it ends soon, so that the connection can be used again. */
function toStatusFault(response: http.IncomingMessage | undefined): Fault {
  if (response?.statusCode === undefined) return new Fault('unreachable')
  // The attempt's own timeout is cleared by then, so nothing else would close the connection.
  const timeout = setTimeout(() => response.destroy(), attemptMs)
  response.on('close', () => clearTimeout(timeout))
  let bytes = 0
  response.on('data', (part: Buffer) => {
    bytes += part.length
    if (bytes > maxReplyBytes) response.destroy()
  })
  const httpStatus = response.statusCode
  if (httpStatus === 401 || httpStatus === 403) return new Fault('unauthorized', { httpStatus })
  return new Fault(httpStatus === 429 ? 'rate-limited' : 'http-status', { httpStatus })
}

async function readBody(response: http.IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of response) {
    bytes += part.length
    // Leaving the loop destroys the response, and with it the connection.
    if (bytes > maxReplyBytes) throw new Fault('oversized')
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

function parseReply(text: string, id: number): Hex {
  const reply = parseJson(text)
  if (typeof reply !== 'object' || reply === null) throw new Fault('malformed-envelope')
  if ('error' in reply && reply.error !== null) throw toErrorFault(reply.error)
  // Some gateways send a rate limit's error without its envelope.
  if (!('result' in reply) && 'code' in reply && rateLimitCodes.has(reply.code)) throw toErrorFault(reply)
  const isReply = 'jsonrpc' in reply && reply.jsonrpc === '2.0' && 'id' in reply && reply.id === id
  if (!isReply || !('result' in reply)) throw new Fault('malformed-envelope')
  if (!isHexBytes(reply.result)) throw new Fault('malformed-result')
  return `0x${reply.result.slice(2).toLowerCase()}`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Fault('malformed-envelope')
  }
}

function toErrorFault(error: unknown): Fault {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  const kind = rateLimitCodes.has(code) ? 'rate-limited' : 'rpc-error'
  const isCode = typeof code === 'number' && Number.isInteger(code) && Math.abs(code) < 100_000
  return new Fault(kind, isCode ? { rpcCode: code } : {})
}

function isHexBytes(value: unknown): value is Hex {
  return typeof value === 'string' && value.length % 2 === 0 && /^0x[0-9a-fA-F]*$/.test(value)
}
