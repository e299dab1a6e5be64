import type { Request } from '../../../smoke/client.ts'

/** A response, and the request that it answers. */
export interface Exchange {
  readonly method: string
  readonly url: string
  /** Of the request, in lower case. */
  readonly asked: Readonly<Record<string, string>>
  /** How often the same was asked before. */
  readonly count: number
  /** 0 breaks the connection. */
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** Changes what a deployment responds. Undefined for no change. */
export type Change = (exchange: Exchange) => Partial<Pick<Exchange, 'status' | 'headers' | 'text'>> | undefined

/** Makes a `fetch` that keeps what it receives, changed. */
export function record(exchanges: Exchange[], change: Change = () => undefined): Request {
  return async (url, init) => {
    const response = await fetch(url, init)
    const { status } = response
    const count = exchanges.filter(exchange => isOf(exchange, url, init)).length
    const headers = Object.fromEntries(response.headers)
    const received = { ...toRequest(url, init), count, status, headers, text: await response.text() }
    const exchange = { ...received, ...change(received) }
    exchanges.push(exchange)
    return toResponse(exchange)
  }
}

/** Makes a `fetch` that responds as was recorded, but for one change. What is asked more often has its last response. */
export function replay(exchanges: readonly Exchange[], change: Change): Request {
  const counts = new Map<Exchange, number>()
  return async (url, init) => {
    const same = exchanges.filter(exchange => isOf(exchange, url, init))
    const [first, last] = [same[0], same.at(-1)]
    if (first === undefined || last === undefined) throw new Error(`${init.method} ${url} was not recorded.`)
    const count = counts.get(first) ?? 0
    counts.set(first, count + 1)
    const exchange = { ...(same[count] ?? last), count }
    return toResponse({ ...exchange, ...change(exchange) })
  }
}

function toRequest(url: string, { method = 'GET', headers }: RequestInit) {
  return { method, url, asked: Object.fromEntries(new Headers(headers)) }
}

function isOf(exchange: Exchange, url: string, init: RequestInit): boolean {
  const { method, asked } = toRequest(url, init)
  return exchange.method === method && exchange.url === url && JSON.stringify(exchange.asked) === JSON.stringify(asked)
}

function toResponse({ status, headers, text }: Exchange): Response {
  if (status === 0) throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) })
  return new Response(text === '' ? null : text, { status, headers })
}
