import http from 'node:http'
import https from 'node:https'
import { Fault } from '../faults.ts'
import { addressMs, connectionMs, isWithin } from '../timing.ts'
import { lookup } from './lookup.ts'

/** Maximum size of a body in bytes, compressed or not. The largest valid body, for 58 feeds, has some 48,500 bytes. */
const maxBodyBytes = 65_536

/**
 * By RPC URL: the agent that keeps its connections. So a failure at one URL closes no connection of another, also if
 * both have the same host. A new object of the same URL, which each reload of the parameter creates, has the same
 * agent.
 *
 * The agent of a URL that is no longer used stays. Its connections do not: each request, also one to another URL,
 * closes those that have been open for `connectionMs`.
 */
const agents = new Map<string, http.Agent>()

/** When each connection was opened, by `Date.now()`. */
const opened = new WeakMap<object, number>()

/**
 * What a request depends on besides its URL. It is set here, so that a shell's variables and options of Node do not
 * change it: `NODE_TLS_REJECT_UNAUTHORIZED=0` would send a key to a node whose certificate is not trusted, and
 * `NODE_OPTIONS` may turn off the choice between addresses (`--no-network-family-autoselection`), accept malformed
 * headers (`--insecure-http-parser`), change their maximum size (`--max-http-header-size`), or permit an old version of
 * TLS (`--tls-min-v1.0`).
 *
 * `ca` is not set, so that `NODE_EXTRA_CA_CERTS` adds the certificate authorities of a network.
 */
const requestOptions = {
  method: 'POST',
  lookup,
  autoSelectFamily: true,
  autoSelectFamilyAttemptTimeout: addressMs,
  rejectUnauthorized: true,
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.3',
  insecureHTTPParser: false,
  maxHeaderSize: 16_384,
} as const

/**
 * Sends JSON with one POST, bounded in time and size. Follows no redirect.
 *
 * `fetch` is not used: to load it takes 13 ms of a cold start, and it closes a connection after some idle seconds,
 * while two reads of a stage with a cache are further apart as a rule.
 *
 * @returns the body of a response with a status of 2xx
 * @throws {Fault} when there is no such response
 */
export async function post(rpcUrl: URL, json: string, signal: AbortSignal): Promise<string> {
  for (const agent of agents.values()) closeIdle(agent, socket => !isWithin(connectionMs, opened.get(socket) ?? 0))
  try {
    let response = await send(rpcUrl, json, signal)
    if (response === 'closed-before-reply') {
      // The node has probably closed its other idle connections too.
      closeIdleTo(rpcUrl)
      response = await send(rpcUrl, json, signal)
    }
    if (response === 'closed-before-reply' || response.statusCode === undefined) throw new Fault('unreachable')
    if (response.statusCode < 200 || response.statusCode > 299) {
      response.destroy()
      throw toStatusFault(response.statusCode)
    }
    const body = await readBody(response)
    // A body without a length ends with its connection, so our own abort would look like the end of the body.
    signal.throwIfAborted()
    return decode(body)
  } catch (error) {
    if (error instanceof Fault) throw error
    throw new Fault(signal.aborted ? 'timeout' : 'unreachable')
  }
}

/** Closes the idle connections of an RPC URL. */
export function closeIdleTo({ href }: URL): void {
  const agent = agents.get(href)
  if (agent !== undefined) closeIdle(agent, () => true)
}

function closeIdle({ freeSockets }: http.Agent, isClosed: (socket: object) => boolean): void {
  const idle = Object.values(freeSockets).flat()
  for (const socket of idle) if (socket !== undefined && isClosed(socket)) socket.destroy()
}

/** Returns the agent of an RPC URL, which is created with the first request. */
function agentOf({ href, protocol }: URL): http.Agent {
  const agent = agents.get(href) ?? createAgent(protocol)
  agents.set(href, agent)
  return agent
}

function createAgent(protocol: string): http.Agent {
  // By default an agent takes the last free connection, even one that was just closed. `fifo` skips closed ones.
  const options = { keepAlive: true, scheduling: 'fifo' } as const
  // No TLS session is resumed: a server that refuses resumption would fail every new connection. A full handshake takes
  // one round trip more in TLS 1.2, and none more in TLS 1.3.
  return protocol === 'https:' ? new https.Agent({ ...options, maxCachedSessions: 0 }) : new http.Agent(options)
}

/**
 * Sends one request. The connection may have been used before, and the node may have closed it meanwhile: then the
 * request breaks before a response, and can be sent again.
 */
function send(rpcUrl: URL, json: string, signal: AbortSignal) {
  const { request } = rpcUrl.protocol === 'https:' ? https : http
  const headers = {
    // Some firewalls refuse a request without this header (403).
    Accept: 'application/json',
    // The reply for a list has some 18 kB, more than a new or idle connection carries in one round trip (10 segments,
    // RFC 6928).
    'Accept-Encoding': 'gzip',
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(json),
    'User-Agent': 'price-lookup',
  }
  return new Promise<http.IncomingMessage | 'closed-before-reply'>((resolve, reject) => {
    const sent = request(rpcUrl, { ...requestOptions, headers, signal, agent: agentOf(rpcUrl) }, resolve)
    sent.on('socket', socket => {
      if (!opened.has(socket)) opened.set(socket, Date.now())
    })
    sent.on('error', error => (sent.reusedSocket && !signal.aborted ? resolve('closed-before-reply') : reject(error)))
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

/** Decompresses a body as a whole, with a limit for its size. A decompressing stream could keep the connection open. */
function unzip(body: Buffer): Buffer {
  try {
    // The module is loaded with the first compressed body: an import would add 2 ms to every cold start.
    return process.getBuiltinModule('node:zlib').gunzipSync(body, { maxOutputLength: maxBodyBytes })
  } catch (error) {
    throw new Fault(error instanceof RangeError ? 'oversized' : 'malformed-envelope')
  }
}
