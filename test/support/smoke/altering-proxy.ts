import { type FaultyNode, startFaultyNode } from '../chain/faulty-node.ts'

/** The reply of a service, or what an {@link Alter} made of it. */
export interface Altered {
  status: number
  headers: Record<string, string>
  text: string
}

/** Returns the reply to send. The path is below the stage, with its query. */
export type Alter = (reply: Altered, request: { method: string; path: string; accept: string | undefined }) => Altered

/** Headers of one connection and its framing. */
const ofConnection = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding'])

/** Starts a loopback server in front of a service. In bodies, the URL of the service becomes that of the proxy. */
export async function startAlteringProxy(target: string, alter: Alter) {
  const node: FaultyNode = await startFaultyNode(async response => {
    const { method = '', url = '', headers } = response.req
    const path = url.replace(/^\/v1/, '')
    const { host: _, connection: __, ...others } = headers as Record<string, string>
    const reply = await fetch(`${target}${path}`, { method, headers: others, redirect: 'manual' })
    const text = await reply.text()
    const ofService = [...reply.headers].filter(([name]) => !ofConnection.has(name))
    const unaltered = {
      status: reply.status,
      headers: Object.fromEntries(ofService),
      text: text.replaceAll(target, baseUrl),
    }
    const altered = alter(unaltered, { method, path, accept: headers.accept })
    response.writeHead(altered.status, altered.headers).end(altered.text)
  })
  const baseUrl = `${node.url.origin}/v1`
  return { baseUrl, [Symbol.asyncDispose]: node.stop }
}

/** Alters replies at one path. */
export const at =
  (where: string, change: (reply: Altered) => Altered): Alter =>
  (reply, { path }) =>
    path === where ? change(reply) : reply

/** Alters the first reply at one path. */
export function first(where: string, change: (reply: Altered) => Altered): Alter {
  let count = 0
  return at(where, reply => (count++ === 0 ? change(reply) : reply))
}

/** Sets a header; undefined removes it. */
export const setHeader = (name: string, value?: string) => (reply: Altered) => {
  const { [name]: _, ...others } = reply.headers
  return { ...reply, headers: value === undefined ? others : { ...others, [name]: value } }
}

export const replace = (from: string | RegExp, to: string) => (reply: Altered) => ({
  ...reply,
  text: reply.text.replace(from, to),
})

/** Alters successes of the two routes. */
export const success =
  (change: (reply: Altered) => Altered): Alter =>
  reply =>
    reply.status === 200 && reply.headers['expires'] !== undefined ? change(reply) : reply

/** Replaces a reply by a problem. */
export const toProblem = (status: number, slug: string, title: string) => (): Altered => ({
  status,
  headers: {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    link: '</v1/openapi.json>; rel="service-desc", </v1/docs>; rel="service-doc"',
    'access-control-allow-origin': '*',
    'retry-after': status === 503 ? '10' : '1',
  },
  text: JSON.stringify({ type: `urn:problem-type:price-lookup:${slug}`, title, status, detail: 'Altered.' }),
})
export const toThrottled = toProblem(429, 'too-many-requests', 'Too many requests')
export const toUnavailable = toProblem(503, 'chain-unavailable', 'Chain unavailable')
