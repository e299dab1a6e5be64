import { afterEach, expect, test, vi } from 'vitest'
import { networkFacts } from '../../../api/networks.ts'
import { Problem, type ProblemSlug } from '../../../api/problems.ts'
import { type FaultKind, faultKinds } from '../../../lambda/faults.ts'
import { toUnknownSymbol } from '../../../lambda/feeds/unknown-symbol.ts'
import { type LogFields, logRequest, toLogFields } from '../../../lambda/handlers/request-log.ts'

afterEach(() => vi.restoreAllMocks())

function linesOf(fields: LogFields, problem?: Problem): readonly unknown[] {
  const lines: unknown[] = []
  for (const level of ['info', 'warn'] as const) {
    vi.spyOn(console, level).mockImplementation(line => void lines.push([level, line]))
  }
  logRequest('GET /test', problem, fields)
  vi.restoreAllMocks()
  return lines
}

const whole: LogFields = {
  caller: 'deployment',
  network: 'testnet',
  symbol: 'CRWD',
  block: 93_482_991,
  headAgeSeconds: 1,
  endpoint: 'rpc-3',
  round: 2,
  attempts: 3,
  unreadable: ['AAPL', 'CRWD'],
  ssmMs: 20,
  rpcMs: 30,
}

test('a line has every field, of its faults their number by kind, and each fault has a line of its own', () => {
  const upstreamFaults = faultKinds.map(kind => ({ endpoint: 'rpc-2' as const, kind, httpStatus: 502 }))
  const counts = Object.fromEntries(faultKinds.map(kind => [kind, 1]))
  const { network, caller } = whole
  expect(linesOf({ ...whole, upstreamFaults })).toEqual([
    ['info', { route: 'GET /test', outcome: 'ok', ...whole, faults: counts }],
    ...upstreamFaults.map(({ kind, ...rest }) => ['info', { fault: kind, ...rest, network, caller }]),
  ])
})

test('a problem of the service is a warning, one of the caller is not', () => {
  expect(linesOf({}, new Problem('not-configured'))).toEqual([
    ['warn', { route: 'GET /test', outcome: 'not-configured' }],
  ])
  expect(linesOf({}, toUnknownSymbol('mainnet', 'NOPE'))).toEqual([
    ['info', { route: 'GET /test', outcome: 'unknown-symbol' }],
  ])
})

test('the fields of a read are its trace, its block and its age, and the feeds that could not be read', () => {
  const trace = { attempts: 1, upstreamFaults: [] }
  const feed = { symbol: 'AAPL', name: 'Apple', address: '0x1000', token: '0x2000', maxAgeSeconds: 1 } as const
  const detail = { status: 'OK', answer: 1n, observedAt: 1, sharePrice: 1n, multiplier: 1n } as const
  const reading = {
    chain: networkFacts.mainnet.chain,
    block: 7,
    readAt: new Date(10_400),
    blockTime: 8,
    feeds: [
      { feed: { ...feed, symbol: 'CRWD' }, detail, roundData: { malformed: true } },
      { feed, hasCode: true, unreadable: 'it is a test' },
    ],
  } as const
  const fields = { network: 'mainnet', ...trace, block: 7, headAgeSeconds: 2, unreadable: ['AAPL'] }
  expect(toLogFields('mainnet', reading, trace)).toEqual(fields)
  const ahead = { ...reading, blockTime: 25 }
  expect(toLogFields('mainnet', ahead, trace)).toEqual({ ...fields, headAgeSeconds: 0 })
  const unavailable = new Problem('chain-unavailable')
  expect(toLogFields('mainnet', unavailable, trace)).toEqual({ network: 'mainnet', ...trace })
})

const secret = 'https://node.example/v2/KEY'
test.each<[string, object, object]>([
  ['a symbol', { symbol: secret }, { symbol: '[redacted]' }],
  ['an endpoint', { endpoint: 'node.example:8545' }, { endpoint: '[redacted]' }],
  ['one of several', { unreadable: ['AAPL', 'KEY'] }, { unreadable: ['AAPL', '[redacted]'] }],
  ['an unknown field', { cause: { message: secret } }, { cause: { '[redacted]': '[redacted]' } }],
  ['a fault', { upstreamFaults: [{ endpoint: 'rpc-2', kind: 'KEY' as FaultKind }] }, { faults: { '[redacted]': 1 } }],
  ['the endpoint of a fault', { upstreamFaults: [{ endpoint: secret, kind: 'slow' }] }, { faults: { slow: 1 } }],
])('in %s, a text that is not on the allowlist is redacted (D25)', (_, fields, logged) => {
  const lines = linesOf(fields)
  expect(lines[0]).toEqual(['info', { route: 'GET /test', outcome: 'ok', ...logged }])
  expect(JSON.stringify(lines)).not.toMatch(/KEY|node\.example/)
})

test('a problem slug that is not on the allowlist is redacted (D25)', () => {
  const problem = Object.assign(new Problem('not-configured'), { slug: 'KEY' as ProblemSlug })
  expect(linesOf({}, problem)).toEqual([['warn', { route: 'GET /test', outcome: '[redacted]' }]])
})
