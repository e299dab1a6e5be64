import http from 'node:http'
import https from 'node:https'
import { Fault } from '../faults.ts'
import { addressMs, attemptMs, idleConnectionMs, isWithin } from '../timing.ts'
import { lookup } from './lookup.ts'

/** Maximum size of a body in bytes. The largest valid body, for 58 feeds, has 48,448 digits and an envelope. */
const maxBodyBytes = 65_536

/** How names are resolved, and how long one of several addresses may take to connect. */
const resolution = { lookup, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: addressMs }

const agents = { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true }) }

/** When each connection was last used, by the wall clock: monotonic clocks may stop while a container is frozen. */
const usedAt = new WeakMap<object, number>()

/**
 * Sends JSON with one POST, bounded in time and size. Follows no redirect.
 *
 * @returns the body of a response of status 200
 * @throws {Fault} when there is no such response
 */
export async function post(rpcUrl: URL, json: string, signal: AbortSignal): Promise<string> {
  const agent = rpcUrl.protocol === 'https:' ? agents.https : agents.http
  closeIdleConnections(agent)
  try {
    // The node may have closed an idle connection. Then the request is repeated on a new connection.
    const response = (await send(agent, rpcUrl, json, signal)) ?? (await send(false, rpcUrl, json, signal))
    if (response?.statusCode === undefined) throw new Fault('unreachable')
    if (response.statusCode !== 200) {
      discardBody(response)
      throw toStatusFault(response.statusCode)
    }
    const body = await readBody(response)
    // A body without a length ends with its connection, and so with our own abort.
    signal.throwIfAborted()
    return body
  } catch (error) {
    if (error instanceof Fault) throw error
    throw new Fault(signal.aborted ? 'timeout' : 'unreachable')
  }
}

function closeIdleConnections(agent: http.Agent): void {
  const sockets = Object.values(agent.freeSockets).flatMap(sameHost => sameHost ?? [])
  for (const socket of sockets) if (!isWithin(idleConnectionMs, usedAt.get(socket) ?? 0)) socket.destroy()
}

/** Sends one request. Returns undefined if it broke on a connection that had been used before. */
function send(agent: http.Agent | false, rpcUrl: URL, json: string, signal: AbortSignal) {
  const { request } = rpcUrl.protocol === 'https:' ? https : http
  const headers = {
    // Some firewalls refuse a request without it (403).
    Accept: 'application/json',
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(json),
    'User-Agent': 'price-lookup',
  }
  return new Promise<http.IncomingMessage | undefined>((resolve, reject) => {
    const sent = request(rpcUrl, { ...resolution, method: 'POST', headers, signal, agent }, resolve)
    sent.on('socket', socket => usedAt.set(socket, Date.now()))
    sent.on('error', error => (sent.reusedSocket && !signal.aborted ? resolve(undefined) : reject(error)))
    // A connection that is switched to another protocol closes without an error.
    sent.on('close', () => reject(new Fault('unreachable')))
    sent.end(json)
  })
}

/** Reads a short body to its end, if it ends soon, so that the connection can be used again. Otherwise closes it. */
function discardBody(response: http.IncomingMessage): void {
  // The attempt's own timeout is cleared by then, so nothing else would close the connection.
  const timeout = setTimeout(() => response.destroy(), attemptMs)
  response.on('close', () => clearTimeout(timeout))
  let bytes = 0
  response.on('data', (part: Buffer) => {
    bytes += part.length
    if (bytes > maxBodyBytes) response.destroy()
  })
}

function toStatusFault(httpStatus: number): Fault {
  if (httpStatus === 401 || httpStatus === 403) return new Fault('unauthorized', { httpStatus })
  return new Fault(httpStatus === 429 ? 'rate-limited' : 'http-status', { httpStatus })
}

async function readBody(response: http.IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of response) {
    bytes += part.length
    // Leaving the loop destroys the response, and with it the connection.
    if (bytes > maxBodyBytes) throw new Fault('oversized')
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}
