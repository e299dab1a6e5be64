import { inspect } from 'node:util'
import { expect } from 'vitest'
import type { FaultKind } from '../../lambda/faults.ts'
import { readMs, responseMs } from '../../lambda/timing.ts'
import { canary } from '../chain/faulty-node.ts'
import type { Outcome } from '../container.ts'
import { symbol } from './changed-results.ts'
import type { Expected } from './fault-case.ts'

/** The bodies of the price and the list at a healthy node, each {@link withoutTimes}. */
export interface CorrectBodies {
  readonly price: string
  readonly list: string
}

/** Removes from a body what changes with the block, and leaves every other character. */
export function withoutTimes(body: string): string {
  return body.replace(/"(block|ageSeconds)":\d+/g, '"$1":0').replace(/"readAt":"[^"]+"/g, '"readAt":""')
}

/** Expects the price of a case. */
export function expectPrice(outcome: Outcome, expected: Expected, { price }: CorrectBodies): void {
  if (typeof expected === 'string') expectUnavailable(outcome, expected)
  else if ('unreadable' in expected) expectUnreadable(outcome, expected.unreadable)
  else expectSuccess(outcome, isUnchanged(expected) ? price : { ...JSON.parse(price), ...expected.record })
}

/** Expects the list of a case: its feed, and all others unchanged. */
export function expectList(outcome: Outcome, expected: Expected, { list }: CorrectBodies): void {
  if (typeof expected === 'string') {
    expectUnavailable(outcome, expected)
    return
  }
  const { feeds, ...rest } = JSON.parse(list)
  const [record, ...others] = feeds
  const { feed, token, explorer, url } = record
  const changed =
    'record' in expected
      ? { ...record, ...expected.record }
      : { symbol, feed, token, explorer, url, problem: unreadable(expected.unreadable) }
  expectSuccess(outcome, isUnchanged(expected) ? list : { ...rest, feeds: [changed, ...others] })
}

/** Expects a body, as text or as JSON. */
export function expectSuccess({ response, logged }: Outcome, body: unknown): void {
  expect(response).toEqual({
    statusCode: 200,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'public, must-revalidate, stale-if-error=0',
      Expires: expect.any(String),
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'Retry-After, Date, Age',
    },
    body: expect.any(String),
  })
  const text = withoutTimes(response.body)
  expect(typeof body === 'string' ? text : JSON.parse(text)).toEqual(body)
  expect(parseLogged(logged).line).toMatchObject({ outcome: 'ok' })
}

/** Faults after which an endpoint is asked again. So is it after an HTTP status from 500 on. */
const passing: readonly FaultKind[] = ['unreachable', 'rate-limited', 'rpc-error', 'timeout', 'oversized', 'out-of-gas']

/** Expects no statement about a feed, within the deadline, and in the log the fault of each round (D2, D24, D25). */
function expectUnavailable({ response, logged, tookMs }: Outcome, kind: FaultKind): void {
  const { body, ...rest } = response
  expect(rest).toEqual({ statusCode: 503, headers: { ...problemHeaders, 'Retry-After': '10' } })
  expect(JSON.parse(body)).toEqual({
    type: 'urn:problem-type:price-lookup:chain-unavailable',
    title: 'Chain unavailable',
    status: 503,
    detail: 'No valid answer came from the chain in time. This says nothing about any feed.',
  })
  expect(tookMs).toBeLessThan(readMs + responseMs)
  const { line, faults } = parseLogged(logged)
  const { symbol: _, ...fields } = line
  const rounds = passing.includes(kind) || (faults[0]?.httpStatus ?? 0) >= 500 ? 2 : 1
  expect(fields).toEqual({
    route: expect.stringMatching(/^GET \/price(\/\{symbol\})?$/),
    outcome: 'chain-unavailable',
    network: 'mainnet',
    ssmMs: expect.any(Number),
    rpcMs: expect.any(Number),
    attempts: rounds,
    requests: expect.any(Number),
    faults: { [kind]: rounds },
    firstEndpointFaults: rounds,
  })
  expect(line.requests).toBeLessThanOrEqual(12)
}

interface LoggedLine {
  readonly symbol?: string
  readonly requests?: number
  readonly faults?: Readonly<Record<string, number>>
}

interface LoggedFault {
  readonly fault: string
  readonly httpStatus?: number
  readonly rpcCode?: number
}

/** Splits what was logged for a request into its own line and those of its faults, which must agree (D25). */
export function parseLogged(logged: readonly unknown[]) {
  const [line, ...faults] = logged as [LoggedLine, ...LoggedFault[]]
  const counts: Record<string, number> = {}
  for (const { fault, httpStatus = 0, rpcCode = 0, ...others } of faults) {
    counts[fault] = (counts[fault] ?? 0) + 1
    expect([httpStatus, rpcCode]).toEqual([expect.any(Number), expect.any(Number)])
    expect(others).toEqual({ endpoint: expect.stringMatching(/^rpc-[123]$/), network: 'mainnet' })
  }
  expect(line.faults ?? {}).toEqual(counts)
  return { line, faults }
}

function expectUnreadable({ response, logged }: Outcome, reason: string): void {
  const { body, ...rest } = response
  expect(rest).toEqual({ statusCode: 502, headers: problemHeaders })
  expect(JSON.parse(body)).toEqual(unreadable(reason))
  expect(parseLogged(logged).line).toMatchObject({ outcome: 'feed-unreadable', unreadable: [symbol] })
}

/** Whether a case changes nothing. Then texts are compared, not parsed numbers (D3). */
function isUnchanged(expected: Expected): boolean {
  return typeof expected === 'object' && 'record' in expected && Object.keys(expected.record).length === 0
}

const problemHeaders = {
  'Content-Type': 'application/problem+json',
  'Cache-Control': 'no-store',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Retry-After, Date, Age',
}

const unreadable = (reason: string) => ({
  type: 'urn:problem-type:price-lookup:feed-unreadable',
  title: 'Feed unreadable',
  status: 502,
  detail: `The chain answered, but this feed cannot be read: ${reason}.`,
})

/** Texts of nodes, URLs and sockets, which the service never outputs. */
const upstreamTexts = [
  ...[canary, Buffer.from(canary).toString('hex'), Buffer.from(canary).toString('base64')],
  ...['127.0.0.1', 'localhost', '.invalid', 'http://', 'ECONN', 'ENOTFOUND', 'HPE_', 'socket hang up', 'aborted'],
  ...['dial tcp', 'execution reverted', 'header not found', 'missing trie node', 'rate limit exceeded'],
  ...['Too Many Requests', 'Bad Gateway', 'OutOfGas', 'allowance'],
]

/** Expects no key, host, port or text of a node in any output or error (D25). */
export function expectNoLeak(output: unknown, ports: readonly string[]): void {
  const text = `${inspect(output, { depth: null, showHidden: true })} ${JSON.stringify(output)}`.toLowerCase()
  for (const upstreamText of upstreamTexts) expect(text).not.toContain(upstreamText.toLowerCase())
  for (const port of ports) expect(text).not.toMatch(new RegExp(`[:/]${port}\\b`))
}
