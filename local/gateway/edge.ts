import { createContext, runInContext } from 'node:vm'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import type { EdgeSettings } from '../template/edge.ts'
import type { Header, Reply } from '../template/responses.ts'
import type { StageRequest } from './proxy-event.ts'

/** An HTTP response, compressed or not. */
export type EdgeReply = Omit<Reply, 'body'> & { readonly body: string | Buffer }

type Entry = { readonly reply: Reply; readonly fetchedAtMs: number; readonly expiresAtMs: number }

/**
 * Simulates a CloudFront distribution before the stage: its function, its cache, merged misses and compression.
 *
 * Unlike CloudFront's, its paths begin with the stage, so that the URLs in the list lead through it. It forwards no header.
 * HEAD is never served from the cache.
 */
export function createEdge(
  { functionCode, behaviors }: EdgeSettings,
  stage: (request: StageRequest) => Promise<Reply>,
  stageName: string,
  nowMs: () => number,
): (request: StageRequest) => Promise<EdgeReply> {
  const runFunction = loadFunction(functionCode)
  const entries = new Map<string, Promise<Entry>>()

  async function fetchEntry(request: StageRequest, maxTtlMs: number): Promise<Entry> {
    const reply = await stage({ ...request, headers: [] })
    const dated = { ...reply, headers: [...reply.headers, ['Date', new Date().toUTCString()] as const] }
    return { reply: dated, fetchedAtMs: nowMs(), expiresAtMs: nowMs() + Math.min(maxTtlMs, toTtlMs(reply)) }
  }

  async function fetchThroughCache(request: StageRequest, key: string, maxTtlMs: number): Promise<Reply> {
    // Concurrent requests share one fetch, if its response may be cached.
    const cached = await entries.get(key)
    if (cached !== undefined && nowMs() < cached.expiresAtMs) return toHit(cached, nowMs())
    const fetching = fetchEntry(request, maxTtlMs)
    entries.set(key, fetching)
    fetching.catch(() => entries.delete(key))
    return (await fetching).reply
  }

  return async request => {
    const uri = request.path.slice(stageName.length + 1)
    if (request.path !== `/${stageName}${uri}`) return stage(request)
    const result = runFunction(toEvent(request, uri))
    if ('statusCode' in result) {
      const headers = Object.entries(result.headers).map(([name, one]) => [name, one.value] as const)
      return { status: result.statusCode, headers, body: request.httpMethod === 'HEAD' ? '' : result.body.data }
    }
    const query = Object.entries(result.querystring).map(([name, one]) => `${name}=${one.value}`)
    const canonical = { ...request, path: `/${stageName}${result.uri}`, query: query.join('&') }
    if (request.httpMethod !== 'GET') return stage({ ...canonical, headers: [] })
    const { maxTtlMs = 0 } = behaviors.find(({ pathPrefix }) => result.uri.startsWith(pathPrefix)) ?? {}
    return compress(
      await fetchThroughCache(canonical, `${canonical.path}?${canonical.query}`, maxTtlMs),
      request.headers,
    )
  }
}

/** Loads the function for viewer requests, which returns a response, or the request to forward. */
function loadFunction(code: string): (event: object) => z.output<typeof functionResult> {
  const context = createContext({})
  runInContext(code, context)
  return event => {
    const result: string = runInContext(`JSON.stringify(handler(${JSON.stringify(event)}))`, context)
    return functionResult.parse(JSON.parse(result))
  }
}

const value = z.object({ value: z.string() })
const functionResult = z.union([
  z.object({ statusCode: z.number(), headers: z.record(z.string(), value), body: z.object({ data: z.string() }) }),
  z.object({ uri: z.string(), querystring: z.record(z.string(), value) }),
])

/**
 * Creates the event of a request. Names and values are as sent, percent-encoding included.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-event-structure.html
 */
function toEvent({ httpMethod, query }: StageRequest, uri: string): object {
  const parameters = query.split('&').filter(one => one !== '')
  const pairs = parameters
    .map(one => /^([^=]*)=?(.*)$/s.exec(one) ?? [])
    .map(([, name = '', value = '']) => ({ name, value }))
  const querystring = Object.entries(Object.groupBy(pairs, ({ name }) => name)).map(([name, same = []]) => {
    const multiValue = same.map(({ value }) => ({ value }))
    return [name, { ...multiValue[0], ...(multiValue.length > 1 && { multiValue }) }]
  })
  return { request: { method: httpMethod, uri: uri || '/', querystring: Object.fromEntries(querystring) } }
}

function toTtlMs({ headers }: Reply): number {
  const find = (wanted: string) => headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? ''
  const [, maxAge] = /max-age=(\d+)/.exec(find('cache-control')) ?? []
  return maxAge === undefined ? (Date.parse(find('expires')) || 0) - Date.now() : 1_000 * Number(maxAge)
}

function toHit({ reply, fetchedAtMs }: Entry, nowMs: number): Reply {
  const age = String(Math.floor((nowMs - fetchedAtMs) / 1_000))
  return { ...reply, headers: [...reply.headers, ['Age', age], ['X-Cache', 'Hit from cloudfront']] }
}

/** @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/ServingCompressedFiles.html */
function compress(reply: Reply, headers: readonly Header[]): EdgeReply {
  const accepted = headers.find(([name]) => name.toLowerCase() === 'accept-encoding')?.[1] ?? ''
  const encoding = ['br', 'gzip'].find(one => accepted.includes(one))
  if (encoding === undefined || Buffer.byteLength(reply.body) < 1_000) return reply
  const body = encoding === 'br' ? brotliCompressSync(reply.body) : gzipSync(reply.body)
  return { ...reply, headers: [...reply.headers, ['Content-Encoding', encoding], ['Vary', 'Accept-Encoding']], body }
}
