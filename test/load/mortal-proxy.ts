import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { toSocketPort } from '../fuzz/sockets.ts'

/** An endpoint in front of a node, which can die and come back at the same address. */
export interface MortalProxy {
  readonly url: string
  /** How many requests came so far. */
  readonly requests: () => number
  /** How many connections are open now. */
  readonly connections: () => number
  /** Refuses every connection from now on, and breaks those that there are. */
  readonly die: () => Promise<void>
  readonly comeBack: () => Promise<void>
}

/** Starts an endpoint that hands every request on to a node, and counts. */
export async function startMortalProxy(rpcUrl: string): Promise<MortalProxy> {
  let requests = 0
  let connections = 0
  let server = createProxy()
  await listen(server, 0)
  const port = toSocketPort(server)

  function createProxy(): Server {
    const proxy = createServer(async (request, response) => {
      requests += 1
      const headers = { 'Content-Type': 'application/json' }
      const answer = await fetch(rpcUrl, { method: 'POST', headers, body: await buffer(request) })
      response.writeHead(answer.status).end(await answer.text())
    })
    proxy.on('clientError', (_, socket) => socket.destroy())
    proxy.on('connection', socket => {
      connections += 1
      socket.on('close', () => {
        connections -= 1
      })
    })
    return proxy
  }
  return {
    url: `http://127.0.0.1:${port}/KEY`,
    requests: () => requests,
    connections: () => connections,
    async die() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
    async comeBack() {
      server = createProxy()
      await listen(server, port)
    },
  }
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
}
