import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { faultFacts, faultKinds } from '../../lambda/faults.ts'
import { type FaultyNode, startFaultyNode, status } from '../support/chain/faulty-node.ts'
import { stopClock } from '../support/clock.ts'
import { captureConsole, startContainer, startStubbedStore } from '../support/container.ts'
import { expectNoLeak } from '../support/faults/expectations.ts'
import { faultCases } from './cases/all.ts'

// One case in two pauses before the second round.
vi.mock(import('node:timers/promises'), () => import('../support/chain/pauses.ts'))

const parameters = new Map<string, string>()
const store = await startStubbedStore(parameters)
captureConsole()
beforeAll(stopClock)
afterAll(async () => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  await store.stop()
})

/** Requests the list from a new container on these nodes, and expects no leak. */
async function listPrices(...nodes: readonly FaultyNode[]) {
  parameters.set('mainnet', nodes.map(({ url }) => url).join(' '))
  const container = await startContainer()
  const outcome = await container.listPrices('mainnet')
  expectNoLeak(outcome, nodes)
  return outcome
}

test('two endpoints that fail are a problem, with a line of the log for each fault (D24)', async () => {
  await using refusing = await startFaultyNode(status(401))
  await using limiting = await startFaultyNode(status(429))
  const { response, logged } = await listPrices(refusing, limiting)
  expect(response).toMatchObject({ statusCode: 503, headers: { 'Cache-Control': 'no-store', 'Retry-After': '10' } })
  expect(JSON.parse(response.body)).toMatchObject({ type: 'urn:problem-type:price-lookup:chain-unavailable' })
  const refused = { fault: 'unauthorized', endpoint: 'rpc-1', httpStatus: 401, network: 'mainnet', caller: undefined }
  const limited = { fault: 'rate-limited', endpoint: 'rpc-2', httpStatus: 429, network: 'mainnet', caller: undefined }
  expect(logged).toEqual([
    {
      route: 'GET /price',
      outcome: 'chain-unavailable',
      network: 'mainnet',
      ssmMs: expect.any(Number),
      rpcMs: expect.any(Number),
      attempts: 4,
      faults: { unauthorized: 2, 'rate-limited': 2 },
    },
    ...[refused, limited, refused, limited],
  ])
})

test('every kind of fault is played', () => {
  const played = faultCases.map(({ expected }) => expected).filter(kind => typeof kind === 'string')
  // Parameter Store's is in test/lambda/handlers/read-chain.test.ts, a list without code in test/lambda/chain/read-endpoint.test.ts.
  const kinds = new Set([...played, 'slow', 'no-state', 'parameter-store'])
  expect([...kinds].toSorted()).toEqual(faultKinds.toSorted())
})

test('docs/faults.md has the table of faults; if not: npx vitest run --project modules test/faults -u', async () => {
  const rows = faultKinds.map(kind => {
    const { meaning, seenAs, remedy } = faultFacts[kind]
    return `| \`${kind}\` | ${meaning} | ${seenAs} | ${remedy} |`
  })
  const page = readFileSync('docs/faults.md', 'utf8')
  const table = /(?<=^\|[ |-]+\|\n)(\|.*\n)+/m
  expect(page).toMatch(table)
  const written = page.replace(table, () => `${rows.join('\n')}\n`)
  await expect(written).toMatchFileSnapshot('../../docs/faults.md')
})
