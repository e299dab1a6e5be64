import { type FaultyNode, startFaultyNode } from '../chain/faulty-node.ts'

/** An answer of a service, as it is or altered. */
export interface Altered {
  status: number
  headers: Record<string, string>
  text: string
}

/** Returns the answer to send. The path is below the stage, with its query. */
export type Alter = (answer: Altered, request: { method: string; path: string; accept: string | undefined }) => Altered

/** A loopback server in front of a service. */
export interface AlteringProxy extends AsyncDisposable {
  readonly baseUrl: string
}

/** Headers of one connection and its framing. */
const ofConnection = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding'])

/** Starts a proxy; in bodies, the URL of the service becomes that of the proxy. */
export async function startAlteringProxy(target: string, alter: Alter, keepsUrls = false): Promise<AlteringProxy> {
  const node: FaultyNode = await startFaultyNode(async response => {
    const { method = '', url = '', headers } = response.req
    const path = url.replace(/^\/v1/, '')
    const { host: _, connection: __, ...others } = headers as Record<string, string>
    const answer = await fetch(`${target}${path}`, { method, headers: others, redirect: 'manual' })
    const text = await answer.text()
    const ofService = [...answer.headers].filter(([name]) => !ofConnection.has(name))
    const answered = {
      status: answer.status,
      headers: Object.fromEntries(ofService),
      text: keepsUrls ? text : text.replaceAll(target, baseUrl),
    }
    const altered = alter(answered, { method, path, accept: headers.accept })
    response.writeHead(altered.status, altered.headers).end(altered.text)
  })
  const baseUrl = `${node.url.origin}/v1`
  return { baseUrl, [Symbol.asyncDispose]: node.stop }
}

/** Alters answers at one path. */
export const at =
  (where: string, change: (answer: Altered) => Altered): Alter =>
  (answer, { path }) =>
    path === where ? change(answer) : answer

/** Alters the first answer at one path. */
export function first(where: string, change: (answer: Altered) => Altered): Alter {
  let count = 0
  return at(where, answer => (count++ === 0 ? change(answer) : answer))
}

/** Sets a header; undefined removes it. */
export const setHeader = (name: string, value?: string) => (answer: Altered) => {
  const { [name]: _, ...others } = answer.headers
  return { ...answer, headers: value === undefined ? others : { ...others, [name]: value } }
}

export const replace = (from: string | RegExp, to: string) => (answer: Altered) => ({
  ...answer,
  text: answer.text.replace(from, to),
})

/** Alters successes of the two routes. */
export const success =
  (change: (answer: Altered) => Altered): Alter =>
  answer =>
    answer.status === 200 && answer.headers['expires'] !== undefined ? change(answer) : answer

/** Replaces an answer by a problem. */
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
