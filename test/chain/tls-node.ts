import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { generate } from 'selfsigned'
import { toReply } from './faulty-node.ts'

/** A loopback node that is spoken to in TLS, and answers `0x12` to every request. */
export interface TlsNode extends AsyncDisposable {
  readonly url: URL
  /** Its certificate, signed by itself: whoever trusts it must be told so. */
  readonly certificate: string
  /** How many connections came, whatever was said on them. */
  readonly connections: () => number
  /** The paths of the requests that came, in their order. */
  readonly paths: readonly string[]
}

/**
 * Starts a node with a certificate of its own, which is made now.
 *
 * @param ip is the address that the certificate is for.
 * @param breaks every connection on which a second request comes
 */
export async function startTlsNode(ip = '127.0.0.1', breaks = false): Promise<TlsNode> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'node.test' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip }] }],
  })
  const paths: string[] = []
  const sockets = new Set<Socket>()
  const used = new Set<Socket>()
  const server = createServer({ cert, key }, async (request, response) => {
    paths.push(request.url ?? '')
    if (breaks && used.has(request.socket)) return void request.socket.destroy()
    used.add(request.socket)
    response.end(toReply(await text(request), '0x12'))
  })
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}/KEY`),
    certificate: cert,
    connections: () => sockets.size,
    paths,
    async [Symbol.asyncDispose]() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}
