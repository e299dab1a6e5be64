import { afterEach, expect, test, vi } from 'vitest'
import { type FaultKind, faultKinds } from '../../lambda/faults.ts'
import { type LogFields, logRequest } from '../../lambda/handlers/request-log.ts'
import { Problem, type ProblemSlug, problemSlugs } from '../../lambda/problems.ts'

afterEach(() => vi.restoreAllMocks())

function lineOf(fields: LogFields, problem?: Problem): unknown {
  const lines: unknown[] = []
  for (const level of ['info', 'warn'] as const) {
    vi.spyOn(console, level).mockImplementation(line => void lines.push([level, line]))
  }
  logRequest('GET /test', problem, fields)
  vi.restoreAllMocks()
  return lines[0]
}

const whole: LogFields = {
  network: 'testnet',
  symbol: 'TSLA',
  block: 93_482_991,
  headAgeSeconds: 1,
  endpoint: 'rpc-3',
  lastResort: true,
  round: 2,
  attempts: 3,
  requests: 4,
  unreadable: ['labTSLA', 'PFE'],
  ssmMs: 20,
  rpcMs: 30,
}

test('a line has every field, and the number of faults by kind (D25)', () => {
  const faults = faultKinds.map(kind => ({ endpoint: 'rpc-1', kind }))
  const counts = Object.fromEntries(faultKinds.map(kind => [kind, 1]))
  expect(lineOf({ ...whole, faults })).toEqual([
    'info',
    { route: 'GET /test', outcome: 'ok', ...whole, faults: counts },
  ])
  expect(lineOf({}, new Problem('not-configured'))).toEqual(['warn', { route: 'GET /test', outcome: 'not-configured' }])
})

test('each HTTP status and JSON-RPC code of the faults is listed once', () => {
  const faults = [
    { endpoint: 'rpc-1', kind: 'rate-limited', httpStatus: 429 },
    { endpoint: 'rpc-2', kind: 'rate-limited', rpcCode: -32_005 },
    { endpoint: 'rpc-2', kind: 'http-status', httpStatus: 502 },
    { endpoint: 'rpc-1', kind: 'rate-limited', httpStatus: 429 },
    { endpoint: 'rpc-3', kind: 'timeout' },
  ] as const
  expect(lineOf({ faults })).toEqual([
    'info',
    {
      route: 'GET /test',
      outcome: 'ok',
      faults: { 'rate-limited': 3, 'http-status': 1, timeout: 1 },
      httpStatuses: [429, 502],
      rpcCodes: [-32_005],
    },
  ])
})

const secret = 'https://node.example/v2/KEY'
test.each<[string, object, object]>([
  ['a symbol', { symbol: secret }, { symbol: '[redacted]' }],
  ['an endpoint', { endpoint: 'node.example:8545' }, { endpoint: '[redacted]' }],
  ['one of several', { unreadable: ['PFE', 'KEY'] }, { unreadable: ['PFE', '[redacted]'] }],
  ['a field for numbers', { block: 'KEY' }, { block: '[redacted]' }],
  ['an unknown field', { cause: { message: secret } }, { cause: { '[redacted]': '[redacted]' } }],
  ['a fault', { faults: [{ endpoint: 'rpc-1', kind: 'KEY' as FaultKind }] }, { faults: { '[redacted]': 1 } }],
])('in %s, a text that is not on the allowlist is redacted (D25)', (_, fields, logged) => {
  const line = lineOf(fields)
  expect(line).toEqual(['info', { route: 'GET /test', outcome: 'ok', ...logged }])
  expect(JSON.stringify(line)).not.toMatch(/KEY|node\.example/)
})

test('a problem slug that is not on the allowlist is redacted (D25)', () => {
  const problem = Object.assign(new Problem('not-configured'), { slug: 'KEY' as ProblemSlug })
  expect(lineOf({}, problem)).toEqual(['warn', { route: 'GET /test', outcome: '[redacted]' }])
  expect(new Set(problemSlugs).size).toBe(problemSlugs.length)
})
