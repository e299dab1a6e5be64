import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { toSocketPort } from './sockets.ts'

/** A JSON-RPC call, as it came. */
export interface Call {
  readonly id: number
  readonly params: readonly [object, string]
}

/** What is sent in answer to one call, byte for byte. */
export interface Sent {
  readonly head: string
  readonly body: Buffer
  /** Whether the connection may be used again. */
  readonly keepsOpen: boolean
}

/** A node that knows every answer by heart: what the real one says at one block. */
export interface MemoryNode extends AsyncDisposable {
  readonly url: string
  /** Says something else to the next call, and to all like it; the truth to any other. */
  readonly lie: (answer: (call: Call, result: string) => Sent) => void
}

/** Starts a node in front of a real one, at the real one's head of now. */
export async function startMemoryNode(rpcUrl: string): Promise<MemoryNode> {
  const results = new Map<string, string>()
  const block: unknown = await ask(rpcUrl, 'eth_blockNumber', [])
  let answer: ((call: Call, result: string) => Sent) | undefined
  let liedTo: string | undefined

  async function reply(body: string): Promise<Sent> {
    const call: Call = JSON.parse(body)
    const question = JSON.stringify(call.params[0])
    const result = results.get(question) ?? (await ask(rpcUrl, 'eth_call', [call.params[0], block]))
    results.set(question, result)
    // Further calls name a block; and one that was let go may come in when the next lie is prepared.
    if (call.params[1] === 'latest') liedTo ??= question
    if (answer !== undefined && liedTo === question) return answer(call, result)
    return toHonest(JSON.stringify({ jsonrpc: '2.0', id: call.id, result }))
  }

  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
    let received = ''
    socket.setNoDelay().on('data', async chunk => {
      received += chunk.toString('latin1')
      const [head = '', body] = received.split('\r\n\r\n')
      const length = Number(/content-length: *(\d+)/i.exec(head)?.[1])
      if (body === undefined || body.length < length) return
      received = ''
      const sent = await reply(body)
      socket.write(Buffer.concat([Buffer.from(sent.head, 'latin1'), sent.body]))
      if (!sent.keepsOpen) socket.end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${toSocketPort(server)}/KEY`,
    lie(next) {
      answer = next
      liedTo = undefined
    },
    async [Symbol.asyncDispose]() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

/** Sends a text as a node would that means well. */
function toHonest(text: string): Sent {
  const body = Buffer.from(text)
  const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  return { head, body, keepsOpen: true }
}

async function ask(rpcUrl: string, method: string, params: readonly unknown[]): Promise<string> {
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const answer = await fetch(rpcUrl, { method: 'POST', headers, body })
  const { result }: { result: string } = JSON.parse(await answer.text())
  return result
}
