import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Starts a proxy in front of a server, which delays all bytes by half of a round trip in each direction. On a new
 * connection, it delays the first bytes by a whole round trip more, as TCP's handshake does. It imitates neither
 * lookups of names nor the loss of packets, nor TCP's window: on a real connection that is new or was idle, more than
 * some 14 kB take a further round trip.
 *
 * @param workMs the time that the server works, by which its bytes are delayed besides
 * @returns the port of the proxy
 */
export async function startDistance(port: number, roundTripMs: number, workMs: number, started: AsyncDisposableStack) {
  const server = createServer({ noDelay: true }, near => {
    const far = connect({ port, host: '127.0.0.1', noDelay: true })
    const connectedAt = performance.now() + roundTripMs
    forward(near, far, roundTripMs / 2, connectedAt)
    forward(far, near, roundTripMs / 2 + workMs, connectedAt)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  started.defer(() => void server.close())
  return toPort(server.address())
}

export function toPort(address: ReturnType<Server['address']>): number {
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}

/** Forwards bytes, and the end of a connection, in their order. */
function forward(from: Socket, to: Socket, delayMs: number, connectedAt: number): void {
  let last = Promise.resolve()
  const hold = (act: () => void) => {
    const due = Math.max(performance.now(), connectedAt) + delayMs
    last = last.then(() => sleep(Math.max(0, Math.ceil(due - performance.now())))).then(act)
  }
  from.on('data', part => hold(() => void to.write(part)))
  from.on('close', () => hold(() => void to.destroy()))
  from.on('error', () => {})
}
