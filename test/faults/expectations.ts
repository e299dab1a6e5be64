import { expect } from 'vitest'
import type { FaultKind } from '../../lambda/faults.ts'
import { readMs, responseMs } from '../../lambda/timing.ts'
import { symbol } from './changed-rows.ts'
import type { Outcome } from './container.ts'
import type { Expected } from './fault-case.ts'

/** What the chain holds, as the service says it through a node that is well; each a {@link toSteady} body. */
export interface Truth {
  readonly price: string
  readonly list: string
}

/** Takes out of a body what the next block changes, and leaves all other digits and words as they are. */
export function toSteady(body: string): string {
  return body.replace(/"(block|ageSeconds)":\d+/g, '"$1":0').replace(/"readAt":"[^"]+"/g, '"readAt":""')
}

/** Expects of a price what a case says, whole. */
export function expectPrice(outcome: Outcome, expected: Expected, { price }: Truth): void {
  if (typeof expected === 'string') expectUnavailable(outcome, expected)
  else if ('unreadable' in expected) expectUnreadable(outcome, expected.unreadable)
  else expectSuccess(outcome, isTrue(expected) ? price : { ...JSON.parse(price), ...expected.record })
}

/** Expects of a list what a case says of one of its feeds, and of all others the truth. */
export function expectList(outcome: Outcome, expected: Expected, { list }: Truth): void {
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
  expectSuccess(outcome, isTrue(expected) ? list : { ...rest, feeds: [changed, ...others] })
}

/** Expects the truth, word for word or as JSON. */
export function expectSuccess({ response, logged }: Outcome, body: unknown): void {
  expect(response).toEqual({
    statusCode: 200,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'public, must-revalidate',
      Expires: expect.any(String),
      'Access-Control-Allow-Origin': '*',
    },
    body: expect.any(String),
  })
  const said = toSteady(response.body)
  expect(typeof body === 'string' ? said : JSON.parse(said)).toEqual(body)
  expect(logged).toEqual([expect.objectContaining({ outcome: 'ok' })])
}

/** Faults that are asked once more after a pause; so is an HTTP status from 500 on. */
const passing: readonly FaultKind[] = ['unreachable', 'rate-limited', 'rpc-error', 'timeout', 'oversized', 'out-of-gas']

/** Expects no statement about any feed, within the deadline, and in the log the fault of each round (D2, D24, D25). */
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
  const [{ symbol: _, httpStatuses = [], rpcCodes = [], ...line }, ...others] = logged as [LoggedLine, ...unknown[]]
  const rounds = passing.includes(kind) || (httpStatuses[0] ?? 0) >= 500 ? 2 : 1
  expect([line, others]).toEqual([
    {
      route: expect.stringMatching(/^GET \/price(\/\{symbol\})?$/),
      outcome: 'chain-unavailable',
      network: 'mainnet',
      ssmMs: expect.any(Number),
      rpcMs: expect.any(Number),
      attempts: rounds,
      requests: expect.any(Number),
      faults: { [kind]: rounds },
    },
    [],
  ])
  for (const number of [...httpStatuses, ...rpcCodes]) expect(number).toEqual(expect.any(Number))
  expect(line.requests).toBeLessThanOrEqual(12)
}

interface LoggedLine {
  readonly symbol?: string
  readonly httpStatuses?: readonly number[]
  readonly rpcCodes?: readonly number[]
  readonly requests?: number
}

function expectUnreadable({ response, logged }: Outcome, reason: string): void {
  const { body, ...rest } = response
  expect(rest).toEqual({ statusCode: 502, headers: problemHeaders })
  expect(JSON.parse(body)).toEqual(unreadable(reason))
  expect(logged).toEqual([expect.objectContaining({ outcome: 'feed-unreadable', unreadable: [symbol] })])
}

/** Whether a case changes nothing of what the service says: then digits are compared, not doubles (D3). */
function isTrue(expected: Expected): boolean {
  return typeof expected === 'object' && 'record' in expected && Object.keys(expected.record).length === 0
}

const problemHeaders = {
  'Content-Type': 'application/problem+json',
  'Cache-Control': 'no-store',
  'Access-Control-Allow-Origin': '*',
}

const unreadable = (reason: string) => ({
  type: 'urn:problem-type:price-lookup:feed-unreadable',
  title: 'Feed unreadable',
  status: 502,
  detail: `The chain answered, but this feed cannot be read: ${reason}.`,
})
