import http from 'node:http'
import https from 'node:https'
import type { Address, Hex } from 'viem'
import { Fault } from './fault.ts'

/** An `eth_call`, and the block to make it at. */
export interface EthCall {
  readonly to: Address
  readonly data: Hex
  readonly block: Hex | 'latest'
}

/** What bounds one request to a node. */
export interface Bounds {
  readonly signal: AbortSignal
  readonly maxBytes: number
}

let lastId = 0

/**
 * Makes one `eth_call` at one endpoint, in one HTTP request.
 *
 * Bounded in time and size, follows no redirect, checks the whole JSON-RPC envelope, and keeps what it is told to itself.
 *
 * @returns the result, in lower case
 * @throws {Fault} when the endpoint does anything but answer.
 */
export async function ethCall(rpcUrl: URL, { to, data, block }: EthCall, bounds: Bounds): Promise<Hex> {
  lastId += 1
  const id = lastId
  const request = JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_call', params: [{ to, data }, block] })
  return parseReply(await post(rpcUrl, request, bounds), id)
}

async function post(rpcUrl: URL, body: string, { signal, maxBytes }: Bounds): Promise<string> {
  try {
    const response = await send(rpcUrl, body, signal)
    const fault = toStatusFault(response.statusCode)
    if (fault !== undefined) {
      response.destroy()
      throw fault
    }
    const text = await readBody(response, maxBytes)
    // A body without a length ends with its connection, and so with our own abort.
    signal.throwIfAborted()
    return text
  } catch (error) {
    if (error instanceof Fault) throw error
    throw new Fault(signal.aborted ? 'timeout' : 'unreachable')
  }
}

/** A connection that was idle for longer may be dead without our knowing: a container is frozen between its invocations. */
const idleMs = 4_000

/** One question rarely takes more than one call; where it takes many, an endpoint is not to take us for a flood. */
const options = { keepAlive: true, maxSockets: 16 }
const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) }
/** When each connection was last used, by the wall's clock: the others may stand still while a container is frozen. */
const sentAt = new WeakMap<object, number>()

async function send(rpcUrl: URL, body: string, signal: AbortSignal): Promise<http.IncomingMessage> {
  const agent = rpcUrl.protocol === 'https:' ? agents['https:'] : agents['http:']
  closeIdle(agent)
  try {
    return await sendOn(agent, rpcUrl, body, signal)
  } catch (error) {
    if (error !== brokenWhileKept) throw error
    return await sendOn(false, rpcUrl, body, signal)
  }
}

/** A connection that broke while we kept it, which says nothing about the endpoint: once more, on a new one. */
const brokenWhileKept = new Fault('unreachable')

function sendOn(agent: http.Agent | false, rpcUrl: URL, body: string, signal: AbortSignal) {
  const { request } = rpcUrl.protocol === 'https:' ? https : http
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'User-Agent': 'price-lookup',
  }
  return new Promise<http.IncomingMessage>((resolve, reject) => {
    const sent = request(rpcUrl, { method: 'POST', headers, signal, agent }, resolve)
    sent.on('socket', socket => sentAt.set(socket, Date.now()))
    sent.on('error', error => reject(sent.reusedSocket && !signal.aborted ? brokenWhileKept : error))
    // The last word, if there was none: a connection that was switched to another protocol ends without an error.
    sent.on('close', () => reject(new Fault('unreachable')))
    sent.end(body)
  })
}

function closeIdle(agent: http.Agent): void {
  const sockets = Object.values(agent.freeSockets).flatMap(sameHost => sameHost ?? [])
  for (const socket of sockets) if (Date.now() - (sentAt.get(socket) ?? 0) > idleMs) socket.destroy()
}

function toStatusFault(status: number | undefined): Fault | undefined {
  if (status === 200) return undefined
  if (status === 401 || status === 403) return new Fault('unauthorized')
  return new Fault(status === 429 ? 'rate-limited' : 'http-status')
}

async function readBody(response: http.IncomingMessage, maxBytes: number): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of response) {
    bytes += part.length
    // Leaving the loop destroys the response, and with it the connection.
    if (bytes > maxBytes) throw new Fault('oversized')
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

function parseReply(text: string, id: number): Hex {
  const reply = parseJson(text)
  if (typeof reply !== 'object' || reply === null) throw new Fault('malformed-envelope')
  if ('error' in reply && reply.error !== null) throw new Fault('rpc-error')
  const answersUs = 'jsonrpc' in reply && reply.jsonrpc === '2.0' && 'id' in reply && reply.id === id
  if (!answersUs || !('result' in reply)) throw new Fault('malformed-envelope')
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

function isHexBytes(value: unknown): value is Hex {
  return typeof value === 'string' && value.length % 2 === 0 && /^0x[0-9a-fA-F]*$/.test(value)
}
