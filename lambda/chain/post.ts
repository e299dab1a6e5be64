import http from 'node:http'
import https from 'node:https'
import { Fault } from '../faults.ts'
import { addressMs, connectionMs, isWithin } from '../timing.ts'
import { lookup } from './lookup.ts'

/** Maximum size of a body in bytes, compressed or not. The largest valid body, for 58 feeds, has some 48,500. */
const maxBodyBytes = 65_536

// By default an agent takes the last free connection, even one that was just closed. `fifo` skips closed ones.
const options = { keepAlive: true, scheduling: 'fifo' } as const
// No TLS session is resumed: a server that refuses resumption would fail every new connection. A full handshake takes
// one round trip more in TLS 1.2, and none more in TLS 1.3.
const agents = { http: new http.Agent(options), https: new https.Agent({ ...options, maxCachedSessions: 0 }) }

/** A connection's host, and when it was opened, by `Date.now()`. */
const opened = new WeakMap<object, { readonly host: string; readonly openedAt: number }>()

/**
 * Sends JSON with one POST, bounded in time and size. Follows no redirect.
 *
 * Not `fetch`: to load it takes 13 ms of a cold start, and it closes a connection that is idle for longer than some
 * seconds, as most are between two reads of a cached stage.
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
      response.destroy()
      throw toStatusFault(response.statusCode)
    }
    const body = await readBody(response)
    // A body without a length ends with its connection, and so with our own abort.
    signal.throwIfAborted()
    return decode(body)
  } catch (error) {
    if (error instanceof Fault) throw error
    throw new Fault(signal.aborted ? 'timeout' : 'unreachable')
  }
}

/** Closes the idle connections to a host and port. */
export function closeIdleTo({ host }: URL): void {
  closeIdle(socket => opened.get(socket)?.host === host)
}

function closeIdle(isClosed: (socket: object) => boolean): void {
  const idle = [agents.http, agents.https].flatMap(({ freeSockets }) => Object.values(freeSockets).flat())
  for (const socket of idle) if (socket !== undefined && isClosed(socket)) socket.destroy()
}

/** Repeats a request on a new connection. The node has probably closed its other idle ones too. */
function sendAgain(rpcUrl: URL, json: string, signal: AbortSignal) {
  closeIdleTo(rpcUrl)
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
    const connecting = { lookup, autoSelectFamilyAttemptTimeout: addressMs }
    const sent = request(rpcUrl, { ...connecting, method: 'POST', headers, signal, agent }, resolve)
    sent.on('socket', socket => {
      if (!opened.has(socket)) opened.set(socket, { host: rpcUrl.host, openedAt: Date.now() })
    })
    sent.on('error', error => (sent.reusedSocket && !signal.aborted ? resolve(undefined) : reject(error)))
    // A connection that is switched to another protocol closes without an error.
    sent.on('close', () => reject(new Fault('unreachable')))
    sent.end(json)
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

/** Decodes a body to text, without a byte order mark. Proxies misstate `Content-Encoding`, so it is not read. */
function decode(body: Buffer): string {
  const isCompressed = body[0] === 0x1f && body[1] === 0x8b
  return new TextDecoder().decode(isCompressed ? unzip(body) : body)
}

/** Decompresses a bounded body at once: a stream could keep its connection open. */
function unzip(body: Buffer): Buffer {
  try {
    // Loaded with the first compressed body: an import would add 2 ms to every cold start.
    return process.getBuiltinModule('node:zlib').gunzipSync(body, { maxOutputLength: maxBodyBytes })
  } catch (error) {
    throw new Fault(error instanceof RangeError ? 'oversized' : 'malformed-envelope')
  }
}
