import { parentPort } from 'node:worker_threads'
import { startFaultyNode, toReply } from '../chain/faulty-node.ts'
import { toCorrectResult } from '../chain/keyed-node.ts'
import { hostileReplies } from './replies.ts'

/** The nodes of a worker thread: the path of the hostile one is the index of its reply. */
export interface ReplyNodes {
  readonly hostile: string
  readonly healthy: string
}

const hostile = await startFaultyNode((response, body) =>
  hostileReplies[Number(response.req.url?.slice(1))]?.respond(response, body),
)
const healthy = await startFaultyNode((response, body) => response.end(toReply(body, toCorrectResult('testnet', body))))
const nodes: ReplyNodes = { hostile: hostile.url.origin, healthy: healthy.url.href }
parentPort?.postMessage(nodes)
