import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPublicClient, http } from 'viem'
import { networks } from '../api/networks.ts'
import registry from '../lambda/feeds/registry.json' with { type: 'json' }
import { variables } from '../lambda/settings.ts'
import { startChain, toChainKind } from '../local/chains/chains.ts'
import { toStandInFeeds } from '../local/chains/stand-in-feeds.ts'
import { startParameterStore } from '../local/functions/parameter-store.ts'

/** What every candidate sends requests to: Parameter Store, and a node with two hosts at several distances. */
export interface Upstream extends AsyncDisposable {
  /** The node that responds after a delay. */
  readonly rpcUrl: (delayMs: number) => string
  /** The environment variables of a function that reads from that node. */
  readonly variables: (delayMs: number, agreement: 1 | 2) => Readonly<Record<string, string>>
  /** Returns the bodies of the requests to the node since the last call. */
  readonly takeRequests: () => readonly string[]
}

/** The distances of the node, as the delay of its response. */
export const delaysMs = [0, 20] as const

/**
 * Starts a chain that makes no blocks, a server in front of it that caches its replies, and Parameter Store.
 *
 * In each reply, the block has the current time, because the service rejects an old one.
 */
export async function startUpstream(): Promise<Upstream> {
  await using started = new AsyncDisposableStack()
  const { chainId, firstBlock } = toChainKind('mainnet')
  const feeds = toStandInFeeds('mainnet', registry.mainnet, Math.floor(Date.now() / 1_000))
  const chain = await startChain({ chainId, firstBlock, feeds })
  started.defer(chain.stop)
  const { timestamp } = await createPublicClient({ transport: http(chain.rpcUrl) }).getBlock()
  const { respond, takeRequests } = createResponder(chain.rpcUrl, timestamp)
  const origins = [await listen(respond, started), await listen(respond, started)]
  const rpcUrl = (delayMs: number) => `${origins[0]}/${delayMs}`
  const parameters = delaysMs.map(
    delayMs => [`${delayMs}`, origins.map(origin => `${origin}/${delayMs}`).join(' ')] as const,
  )
  const store = await startParameterStore(new Map(parameters))
  started.defer(store.stop)
  const running = started.move()
  return {
    rpcUrl,
    variables: (delayMs, agreement) => ({
      [variables.agreement]: `${agreement}`,
      AWS_REGION: 'us-east-1',
      ...store.variables,
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_SESSION_TOKEN: 'local',
      ...Object.fromEntries(networks.map(network => [variables.toRpcUrlsParameter(network), `${delayMs}`])),
    }),
    takeRequests,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/**
 * Creates the server's function. It responds from memory once the node has replied to the same call.
 *
 * @param timestamp of the node's block, which the current time replaces
 */
function createResponder(nodeUrl: string, timestamp: bigint) {
  const requests: string[] = []
  const replies = new Map<string, Promise<readonly string[]>>()
  const respond: RequestListener = async (request, response) => {
    const body = await text(request)
    requests.push(body)
    const { id, ...call }: { id: number } = JSON.parse(body)
    const key = JSON.stringify(call)
    const cached = replies.get(key) ?? callNode(nodeUrl, call)
    replies.set(key, cached)
    const delayMs = Number(request.url?.slice(1))
    if (delayMs > 0) await sleep(delayMs)
    const now = Math.floor(Date.now() / 1_000)
    const reply = (await cached).join(`${id}`).replace(toWord(timestamp), toWord(now))
    response.socket?.setNoDelay()
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': reply.length }).end(reply)
  }
  return { respond, takeRequests: () => requests.splice(0) }
}

/** Starts a server on loopback. Returns its origin. */
async function listen(respond: RequestListener, started: AsyncDisposableStack): Promise<string> {
  const server = createServer(respond)
  // A connection stays open while other candidates take their turns.
  server.keepAliveTimeout = 600_000
  await once(server.listen(0, '127.0.0.1'), 'listening')
  started.defer(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : undefined}`
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
