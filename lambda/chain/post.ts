import http from 'node:http'
import https from 'node:https'
import { Fault } from '../faults.ts'
import { addressMs, attemptMs, connectionMs, isWithin } from '../timing.ts'
import { lookup } from './lookup.ts'

/** Maximum size of a body in bytes, compressed or not. The largest valid body, for 58 feeds, has some 48,500. */
const maxBodyBytes = 65_536

// By default an agent takes the last free connection, even one that was just closed. `fifo` skips closed ones.
const options = { keepAlive: true, scheduling: 'fifo' } as const
const agents = { http: new http.Agent(options), https: new https.Agent(options) }

/** A connection's host, and when it was opened, by `Date.now()`. */
const opened = new WeakMap<object, { readonly host: string; readonly openedAt: number }>()

/**
 * Sends JSON with one POST, bounded in time and size. Follows no redirect.
 *
 * @returns the body of a response with a status of 2xx
 * @throws {Fault} when there is no such response
 */
export async function post(rpcUrl: URL, json: string, signal: AbortSignal): Promise<string> {
  closeIdle(socket => !isWithin(connectionMs, opened.get(socket)?.openedAt ?? 0))
  try {
    const response = (await send(rpcUrl, json, signal)) ?? (await sendAgain(rpcUrl, json, signal))
    if (response?.statusCode === undefined) throw new Fault('unreachable')
    if (response.statusCode < 200 || response.statusCode > 299) {
      discardBody(response)
      throw toStatusFault(response.statusCode)
    }
    const body = await readBody(response)
    // A body without a length ends with its connection, and so with our own abort.
    signal.throwIfAborted()
    return decode(body, response.headers['content-encoding'])
  } catch (error) {
    if (error instanceof Fault) throw error
    throw new Fault(signal.aborted ? 'timeout' : 'unreachable')
  }
}

function closeIdle(isClosed: (socket: object) => boolean): void {
  const idle = [agents.http, agents.https].flatMap(({ freeSockets }) => Object.values(freeSockets).flat())
  for (const socket of idle) if (socket !== undefined && isClosed(socket)) socket.destroy()
}

/** Repeats a request on a new connection. The node has probably closed its other idle ones too. */
function sendAgain(rpcUrl: URL, json: string, signal: AbortSignal) {
  closeIdle(socket => opened.get(socket)?.host === rpcUrl.host)
  return send(rpcUrl, json, signal)
}

/** Sends one request. Returns undefined if it broke on a connection that had been used before. */
function send(rpcUrl: URL, json: string, signal: AbortSignal) {
  const [{ request }, agent] = rpcUrl.protocol === 'https:' ? [https, agents.https] : [http, agents.http]
  const headers = {
    // Some firewalls refuse a request without it (403).
    Accept: 'application/json',
    // A list has some 18 kB, more than a new or idle connection takes in one round trip (10 segments, RFC 6928).
    'Accept-Encoding': 'gzip',
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(json),
    'User-Agent': 'price-lookup',
  }
  return new Promise<http.IncomingMessage | undefined>((resolve, reject) => {
    const addresses = { lookup, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: addressMs }
    const sent = request(rpcUrl, { ...addresses, method: 'POST', headers, signal, agent }, resolve)
    sent.on('socket', socket => {
      if (!opened.has(socket)) opened.set(socket, { host: rpcUrl.host, openedAt: Date.now() })
    })
    sent.on('error', error => (sent.reusedSocket && !signal.aborted ? resolve(undefined) : reject(error)))
    // A connection that is switched to another protocol closes without an error.
    sent.on('close', () => reject(new Fault('unreachable')))
    // Loads zlib while the reply is awaited, which takes 2 ms. An import would add them to every cold start.
    sent.end(json, () => void process.getBuiltinModule('node:zlib'))
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

async function readBody(response: http.IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of response) {
    bytes += part.length
    // Leaving the loop destroys the response, and with it the connection.
    if (bytes > maxBodyBytes) throw new Fault('oversized')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Decodes a body to text, without a byte order mark. */
function decode(body: Buffer, coding = 'identity'): string {
  const isCompressed = coding.toLowerCase() === 'gzip'
  if (!isCompressed && coding !== 'identity') throw new Fault('malformed-envelope')
  return new TextDecoder().decode(isCompressed ? unzip(body) : body)
}

/** Decompresses a bounded body at once: a stream could keep its connection open. */
function unzip(body: Buffer): Buffer {
  try {
    return process.getBuiltinModule('node:zlib').gunzipSync(body, { maxOutputLength: maxBodyBytes })
  } catch (error) {
    throw new Fault(error instanceof RangeError ? 'oversized' : 'malformed-envelope')
  }
}
