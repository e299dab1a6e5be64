import { type SickNode, startSickNode } from './sick-node.ts'

/** Starts a node that hands every request on to another and counts; it may change what it hands on. */
export function startCountingNode(
  rpcUrl: string,
  change: (request: string) => string | Promise<string> = request => request,
): Promise<SickNode> {
  return startSickNode(async (response, request) => {
    const headers = { 'Content-Type': 'application/json' }
    const answer = await fetch(rpcUrl, { method: 'POST', headers, body: await change(request) })
    response.writeHead(answer.status).end(await answer.text())
  })
}
