import { afterEach, expect, test, vi } from 'vitest'
import { logRequest, type Notes } from '../../lambda/handlers/request-log.ts'
import { type FaultKind, faultKinds, NotConfigured, type ProblemSlug, problemSlugs } from '../../lambda/problems.ts'

afterEach(() => vi.restoreAllMocks())

function lineOf(notes: Notes, problem?: NotConfigured): unknown {
  const lines: unknown[] = []
  for (const level of ['info', 'warn'] as const) {
    vi.spyOn(console, level).mockImplementation(line => void lines.push([level, line]))
  }
  logRequest('GET /test', problem, notes)
  vi.restoreAllMocks()
  return lines[0]
}

const whole: Notes = {
  network: 'testnet',
  symbol: 'TSLA',
  block: 93_482_991,
  headAgeSeconds: 1,
  endpoint: 'rpc-3',
  lastResort: true,
  attempts: 3,
  unreadable: ['labTSLA', 'PFE'],
  ssmMs: 20,
  rpcMs: 30,
}

test('a line holds all that was noted, and faults by their number (D25)', () => {
  const faults = faultKinds.map(kind => ({ endpoint: 'rpc-1', kind }))
  const counts = Object.fromEntries(faultKinds.map(kind => [kind, 1]))
  expect(lineOf({ ...whole, faults })).toEqual([
    'info',
    { route: 'GET /test', outcome: 'ok', ...whole, faults: counts },
  ])
  expect(lineOf({}, new NotConfigured())).toEqual(['warn', { route: 'GET /test', outcome: 'not-configured' }])
})

const secret = 'https://node.example/v2/KEY'
test.each<[string, object, object]>([
  ['a symbol', { symbol: secret }, { symbol: '[withheld]' }],
  ['an endpoint', { endpoint: 'node.example:8545' }, { endpoint: '[withheld]' }],
  ['one of several', { unreadable: ['PFE', 'KEY'] }, { unreadable: ['PFE', '[withheld]'] }],
  ['a number’s place', { block: 'KEY' }, { block: '[withheld]' }],
  ['a field that nobody knows', { cause: { message: secret } }, { cause: { '[withheld]': '[withheld]' } }],
  ['a fault', { faults: [{ endpoint: 'rpc-1', kind: 'KEY' as FaultKind }] }, { faults: { '[withheld]': 1 } }],
])('what is not of our own vocabulary is withheld, noted as %s (D25)', (_, notes, said) => {
  const line = lineOf(notes)
  expect(line).toEqual(['info', { route: 'GET /test', outcome: 'ok', ...said }])
  expect(JSON.stringify(line)).not.toMatch(/KEY|node\.example/)
})

test('so is a problem’s word that is none of ours (D25)', () => {
  const problem = Object.assign(new NotConfigured(), { slug: 'KEY' as ProblemSlug })
  expect(lineOf({}, problem)).toEqual(['warn', { route: 'GET /test', outcome: '[withheld]' }])
  expect(new Set(problemSlugs).size).toBe(problemSlugs.length)
})
