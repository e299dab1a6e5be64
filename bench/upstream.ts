import { once } from 'node:events'
import http, { type RequestListener, type Server } from 'node:http'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { generate } from 'selfsigned'
import { createPublicClient, http as httpTransport } from 'viem'
import { ofEachNetwork } from '../api/networks.ts'
import registry from '../lambda/feeds/registry.json' with { type: 'json' }
import { toVariables } from '../lambda/settings.ts'
import { startChain, toChainKind } from '../local/chains/chains.ts'
import { toStandInFeeds } from '../local/chains/stand-in-feeds.ts'
import { startParameterStore } from '../local/parameter-store.ts'
import { localSettings } from '../local/settings.ts'
import { startDistance, toPort } from './distance.ts'

/**
 * Where the node is: `near` is on loopback; `far` is over TLS, at a round trip of 20 ms; `far-closing` is the same, but
 * the node closes each connection after its response.
 */
export type Distance = (typeof distances)[number]
const distances = ['near', 'far', 'far-closing'] as const

/** What every program sends requests to: Parameter Store, and a node at several distances. */
export type Upstream = Awaited<ReturnType<typeof startUpstream>>

/**
 * Starts a chain that makes no blocks, two servers in front of it that cache its replies, and Parameter Store.
 *
 * In each reply, the block has the current time, because the service rejects an old one.
 */
export async function startUpstream() {
  await using started = new AsyncDisposableStack()
  const { chainId } = toChainKind('mainnet')
  const feeds = toStandInFeeds('mainnet', registry.mainnet, Math.floor(Date.now() / 1_000))
  const chain = await startChain({ chainId, feeds })
  started.defer(chain.stop)
  const { timestamp } = await createPublicClient({ transport: httpTransport(chain.rpcUrl) }).getBlock()
  const { respond, takeRequestCount } = createResponder(chain.rpcUrl, timestamp)

  const near = await listen(http.createServer(respond), started)
  const certificate = await generate([], { extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip }] }] })
  const tls = { cert: certificate.cert, key: certificate.private }
  const farServer = await listen(https.createServer(tls, respond), started)
  const far = await startDistance(farServer, 20, 0, started)
  const toUrl = (distance: Distance) =>
    distance === 'near' ? `http://${ip}:${near}/${distance}` : `https://${ip}:${far}/${distance}`
  const store = await startParameterStore(new Map(distances.map(distance => [distance, toUrl(distance)])))
  started.defer(store.stop)
  const storePort = Number(new URL(store.variables.AWS_ENDPOINT_URL_SSM).port)
  // Parameter Store is at a round trip of 1 ms, and works for 8 ms.
  const farStorePort = await startDistance(storePort, 1, 8, started)
  const running = started.move()
  return {
    /** Returns the environment variables of a program whose node is at this distance. */
    toVariables: (distance: Distance) => ({
      ...toVariables({ ...localSettings, rpcUrlsParameters: ofEachNetwork(() => distance) }),
      AWS_REGION: 'us-east-1',
      ...store.variables,
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_SESSION_TOKEN: 'local',
      ...(distance === 'near'
        ? {}
        : { AWS_ENDPOINT_URL_SSM: `http://${ip}:${farStorePort}`, CERTIFICATE: certificate.cert }),
    }),
    /** Returns how many requests the node got since the last call. */
    takeRequestCount,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

const ip = '127.0.0.1'

/** A JSON-RPC request. */
interface Call {
  readonly id: number
}

/**
 * Creates the server's function. It responds from memory once the node has replied to the same call.
 *
 * @param timestamp the timestamp of the node's block, which each reply replaces with the current time
 */
function createResponder(nodeUrl: string, timestamp: bigint) {
  let requests = 0
  const replies = new Map<string, Promise<readonly string[]>>()
  const toReply = async ({ id, ...call }: Call): Promise<string> => {
    const key = JSON.stringify(call)
    const cached = replies.get(key) ?? callNode(nodeUrl, call)
    replies.set(key, cached)
    const now = Math.floor(Date.now() / 1_000)
    return (await cached).join(`${id}`).replace(toWord(timestamp), toWord(now))
  }
  const respond: RequestListener = async (request, response) => {
    requests += 1
    const body: Call | Call[] = JSON.parse(await text(request))
    const reply = Array.isArray(body) ? `[${await Promise.all(body.map(toReply))}]` : await toReply(body)
    const isFar = request.url !== '/near'
    const isCompressed = isFar && `${request.headers['accept-encoding']}`.includes('gzip')
    const sent = isCompressed ? gzipSync(reply) : reply
    response.socket?.setNoDelay()
    response.setHeader('Content-Type', 'application/json').setHeader('Content-Length', sent.length)
    if (isCompressed) response.setHeader('Content-Encoding', 'gzip')
    if (request.url === '/far-closing') response.setHeader('Connection', 'close')
    response.end(sent)
  }
  const takeRequestCount = (): number => {
    const taken = requests
    requests = 0
    return taken
  }
  return { respond, takeRequestCount }
}

async function listen(server: Server, started: AsyncDisposableStack): Promise<number> {
  // A connection stays open while other programs take their turns.
  server.keepAliveTimeout = 600_000
  await once(server.listen(0, ip), 'listening')
  started.defer(() => {
    server.close()
    server.closeAllConnections()
  })
  return toPort(server.address())
}

/** Encodes a number as a word of the ABI, without `0x`. */
function toWord(value: number | bigint): string {
  return value.toString(16).padStart(64, '0')
}

/** Calls the node. Returns the parts of its reply before and after the id. */
async function callNode(nodeUrl: string, call: object): Promise<readonly string[]> {
  const headers = { 'Content-Type': 'application/json' }
  const reply = await fetch(nodeUrl, { method: 'POST', headers, body: JSON.stringify({ ...call, id: 'its id' }) })
  return (await reply.text()).split('"its id"')
}
