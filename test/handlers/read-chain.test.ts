import type { Context } from 'aws-lambda'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { feedsOf } from '../../lambda/feeds/registry.ts'
import type { Notes } from '../../lambda/handlers/request-log.ts'
import { type ParameterStore, startParameterStore } from '../../local/parameter-store.ts'
import { startFaultyNode } from '../chain/faulty-node.ts'
import { stubParameterStore } from '../ssm-environment.ts'

const parameters = new Map<string, string>()
let store: ParameterStore

beforeEach(async () => {
  store = await startParameterStore(parameters)
  stubParameterStore(store.url)
  vi.stubEnv('RPC_URLS_PARAMETER_MAINNET', '/test')
})

afterEach(async () => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  await store.stop()
})

/** Starts a container, and reads in it with so much of the function's time left. */
async function startContainer(rpcUrls: string) {
  parameters.set('/test', rpcUrls)
  vi.resetModules()
  const { readChain } = await import('../../lambda/handlers/read-chain.ts')
  return async (remainingMs = 10_000) => {
    const notes: Notes = {}
    const context = { getRemainingTimeInMillis: () => remainingMs } as Context
    const began = performance.now()
    const problem: unknown = await readChain('mainnet', feedsOf('mainnet').slice(0, 1), context, notes).catch(
      (error: unknown) => error,
    )
    return { notes, problem, tookMs: performance.now() - began }
  }
}

const unavailable = { document: { type: 'urn:problem-type:price-lookup:chain-unavailable' } }

test('a read ends before the function’s own time is up (D24)', async () => {
  await using silent = await startFaultyNode(() => {})
  const read = await startContainer(silent.url.href)
  const { problem, tookMs } = await read(900)
  expect(problem).toMatchObject(unavailable)
  expect(tookMs).toBeLessThan(900)
})

test('a read that loads its URLs anew still ends at its deadline, and keeps what went wrong (D22, D24)', async () => {
  await using refusing = await startFaultyNode(response => void setTimeout(() => response.writeHead(401).end(), 400))
  const read = await startContainer(refusing.url.href)
  await read()
  await store.stop()
  await using silent = await startFaultyNode(() => {})
  vi.stubEnv('AWS_ENDPOINT_URL_SSM', silent.url.origin)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  // Of these, 500 ms are kept for the answer: 400 are left when the endpoint has refused.
  const { problem, notes, tookMs } = await read(1_300)
  expect(problem).toMatchObject(unavailable)
  expect(notes.faults).toEqual([
    { endpoint: 'rpc-1', kind: 'unauthorized' },
    { endpoint: 'ssm', kind: 'parameter-store' },
  ])
  expect(tookMs).toBeLessThan(1_300)
  expect(refusing.requests).toHaveLength(2)
  store = await startParameterStore(parameters)
})

test('what the log tells of a read that failed (D25)', async () => {
  await using down = await startFaultyNode(response => response.writeHead(502).end())
  const read = await startContainer(`${down.url} ${down.url}`)
  expect((await read()).notes).toEqual({
    network: 'mainnet',
    ssmMs: expect.any(Number),
    rpcMs: expect.any(Number),
    faults: [
      { endpoint: 'rpc-1', kind: 'http-status' },
      { endpoint: 'rpc-2', kind: 'http-status' },
    ],
  })
})

test('a Parameter Store that does not answer is told by the log, too', async () => {
  const read = await startContainer('https://node.test')
  await store.stop()
  const { problem, notes } = await read()
  expect(problem).toMatchObject(unavailable)
  expect(notes).toEqual({
    network: 'mainnet',
    ssmMs: expect.any(Number),
    faults: [{ endpoint: 'ssm', kind: 'parameter-store' }],
  })
  store = await startParameterStore(parameters)
})

test('a Parameter Store that fails later is told by the log, beside what came of the old URLs (D25)', async () => {
  await using refusing = await startFaultyNode(response => response.writeHead(403).end())
  const read = await startContainer(refusing.url.href)
  vi.useFakeTimers({ toFake: ['Date'] })
  expect((await read()).notes.faults).toEqual([{ endpoint: 'rpc-1', kind: 'unauthorized' }])
  await store.stop()
  const lost = { endpoint: 'ssm', kind: 'parameter-store' }
  const refused = { endpoint: 'rpc-1', kind: 'unauthorized' }
  vi.setSystemTime(Date.now() + 60_000)
  expect((await read()).notes.faults).toEqual([refused, lost])
  vi.setSystemTime(Date.now() + 300_000)
  expect((await read()).notes.faults).toEqual([lost, refused])
  store = await startParameterStore(parameters)
})
