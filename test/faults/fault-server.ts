import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { canary, type Exchange } from './answers.ts'
import type { FaultCase } from './fault-case.ts'

/** A loopback server in the place of a node. */
export interface FaultServer extends AsyncDisposable {
  readonly rpcUrl: string
  readonly port: number
  /** How many connections came, whatever was said on them. */
  connections(): number
}

/** What a fault server stands before. */
export interface Surroundings {
  /** Where the real node answers. */
  readonly nodeUrl: string
  /** A server that nobody may ever be sent to. */
  readonly trapUrl: URL
}

/** Starts a server that plays a case before a real node. */
export async function startFaultServer(
  { answer, unasked }: Pick<FaultCase, 'answer' | 'unasked'>,
  { nodeUrl, trapUrl }: Surroundings,
): Promise<FaultServer> {
  let connections = 0
  const server = http.createServer(async (request, response) => {
    const { socket } = request
    const body = await text(request).catch(() => undefined)
    if (body === undefined) return
    const askNode = async () => await askAt(nodeUrl, body)
    await answer({ request: body, response, socket, trapUrl, askNode } satisfies Exchange)
  })
  server.on('connection', socket => {
    connections += 1
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const stop = async () => {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  if (unasked === 'nobody listens') await stop()
  return { rpcUrl: toRpcUrl(port, unasked), port, connections: () => connections, [Symbol.asyncDispose]: stop }
}

/** Starts a server that hands every request on to the real node. */
export function startHealthyServer(surroundings: Surroundings): Promise<FaultServer> {
  const answer = async ({ response, askNode }: Exchange) => void response.end(await askNode())
  return startFaultServer({ answer }, surroundings)
}

function toRpcUrl(port: number, unasked: FaultCase['unasked']): string {
  // A name whose label is too long for any DNS server to be asked of it.
  const host = unasked === 'unknown host' ? `${'x'.repeat(64)}.invalid` : '127.0.0.1'
  const scheme = unasked === 'unknown host' || unasked === 'speaks no TLS' ? 'https' : 'http'
  return `${scheme}://${host}:${port}/${canary}-KEY/v2?key=${canary}`
}

async function askAt(nodeUrl: string, body: string): Promise<string> {
  const answer = await fetch(nodeUrl, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  return await answer.text()
}
