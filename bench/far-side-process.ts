import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as after } from 'node:timers/promises'
import { startParameterStore } from '../local/parameter-store.ts'
import { answerParent } from './child.ts'
import { delaysMs, type FarSideAnswer, type FarSideQuestion } from './far-side.ts'

interface Request {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

const results = new Map<string, Promise<string>>()
let nodeUrl = ''
let lastRequest = ''
let methods: string[] = []

const server = createServer(async (request, response) => {
  const body = await text(request)
  lastRequest = body
  await answer(body, Number(request.url?.slice(1)), response)
})
// Nobody's kept connection is closed while it is another's turn.
server.keepAliveTimeout = 600_000
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = toAddress(server.address())
const parameters = new Map(delaysMs.map(delayMs => [`${delayMs}`, `http://127.0.0.1:${port}/${delayMs}`]))
const { url: ssmUrl } = await startParameterStore(parameters)

answerParent<FarSideQuestion, FarSideAnswer>(question => {
  if (typeof question === 'object') nodeUrl = question.rpcUrl
  const answered = { port, ssmUrl, methods, lastRequest }
  methods = []
  return answered
})

async function answer(body: string, delayMs: number, response: ServerResponse): Promise<void> {
  const { id, method, params }: Request = JSON.parse(body)
  methods.push(method)
  const key = JSON.stringify([method, params])
  const asked = results.get(key) ?? ask(method, params)
  results.set(key, asked)
  if (delayMs > 0) await after(delayMs)
  const result = await asked
  const reply = `{"jsonrpc":"2.0","id":${id},${result}}`
  response.socket?.setNoDelay()
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': reply.length }).end(reply)
}

/** Asks the real node, and gives the result or the error as it stands in its reply. */
async function ask(method: string, params: readonly unknown[]): Promise<string> {
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const reply = await fetch(nodeUrl, { method: 'POST', headers, body })
  const { result, error }: { result?: unknown; error?: unknown } = JSON.parse(await reply.text())
  return error === undefined ? `"result":${JSON.stringify(result)}` : `"error":${JSON.stringify(error)}`
}

function toAddress(address: string | AddressInfo | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('The node has no port.')
  return address
}
