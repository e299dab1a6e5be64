import { once } from 'node:events'
import { connect, type Server } from 'node:net'

/** Gives the port that a server listens at. */
export function toSocketPort(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server listens at no port')
  return address.port
}

/** Sends bytes on a connection of their own, and gives all that comes back until the other side ends it. */
export async function exchange(port: number, sent: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setNoDelay()
  const parts: Buffer[] = []
  socket.on('data', part => parts.push(part))
  socket.write(Buffer.from(sent, 'latin1'))
  await once(socket, 'close')
  return Buffer.concat(parts).toString('latin1')
}
