import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'

/** What a load of requests came to. */
export interface Load {
  readonly perSecond: number
  readonly medianMs: number
  readonly p99Ms: number
  /** Answers other than 2xx, broken connections and timeouts. */
  readonly failed: number
}

/** How many callers ask at once. */
export const callers = 8

const seconds = 3
const autocannon = createRequire(import.meta.url).resolve('autocannon')

interface Report {
  readonly requests: { readonly average: number }
  readonly latency: { readonly p50: number; readonly p99: number }
  readonly non2xx: number
  readonly errors: number
  readonly timeouts: number
}

/** Asks one URL as fast as it answers, from another process; posts the body, if there is one. */
export async function loadUrl(url: string, body?: string): Promise<Load> {
  const post = body === undefined ? [] : ['-m', 'POST', '-H', 'Content-Type: application/json', '-b', body]
  const args = (forSeconds: number) => ['--json', '-c', `${callers}`, '-d', `${forSeconds}`, ...post, url]
  await promisify(execFile)(process.execPath, [autocannon, ...args(1)])
  const { stdout } = await promisify(execFile)(process.execPath, [autocannon, ...args(seconds)])
  const { requests, latency, non2xx, errors, timeouts }: Report = JSON.parse(stdout)
  return {
    perSecond: requests.average,
    medianMs: latency.p50,
    p99Ms: latency.p99,
    failed: non2xx + errors + timeouts,
  }
}
