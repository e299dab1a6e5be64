import { forward, startFaultyNode, toReply } from '../chain/faulty-node.ts'

/** A JSON-RPC call. */
export interface Call {
  readonly id: number
  readonly params: readonly [object, string]
}

/** A reply: a body, or every byte of an HTTP response after which the connection ends. */
export interface Sent {
  readonly body: Buffer
  /** The status line and headers; undefined for a plain response of 200. */
  readonly head: string | undefined
}

/** A node that answers every call at one block of a real node. */
export interface PinnedNode extends AsyncDisposable {
  readonly url: URL
  /** Changes the reply to the next call, and to every equal call. All others get the correct result. */
  readonly changeNext: (reply: (call: Call, result: string) => Sent) => void
}

/** Starts a node in front of a real one, at its current block. */
export async function startPinnedNode(rpcUrl: string): Promise<PinnedNode> {
  const results = new Map<string, string>()
  const block = await request(rpcUrl, 'eth_blockNumber', [])
  let reply: ((call: Call, result: string) => Sent) | undefined
  let changed: string | undefined
  const node = await startFaultyNode(async (response, body) => {
    const call: Call = JSON.parse(body)
    const content = JSON.stringify(call.params[0])
    const result = results.get(content) ?? (await request(rpcUrl, 'eth_call', [call.params[0], block]))
    results.set(content, result)
    // A further call of a read names a block. An aborted call may arrive after the next change.
    if (call.params[1] === 'latest') changed ??= content
    if (reply === undefined || changed !== content) return response.end(toReply(body, result))
    const sent = reply(call, result)
    if (sent.head === undefined) return response.end(sent.body)
    return response.socket?.end(Buffer.concat([Buffer.from(sent.head, 'latin1'), sent.body]))
  })
  return {
    url: node.url,
    changeNext(next) {
      reply = next
      changed = undefined
    },
    [Symbol.asyncDispose]: node.stop,
  }
}

async function request(rpcUrl: string, method: string, params: readonly unknown[]): Promise<string> {
  const { result } = JSON.parse(await forward(rpcUrl, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })))
  return result
}
