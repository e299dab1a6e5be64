import type { Context } from 'aws-lambda'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { feedsOf } from '../../lambda/feeds/registry.ts'
import { type ParameterStore, startParameterStore } from '../../local/parameter-store.ts'
import { startFaultyNode } from '../chain/faulty-node.ts'
import { keyedBlock, startKeyedNode } from '../chain/keyed-node.ts'
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
    const context = { getRemainingTimeInMillis: () => remainingMs } as Context
    const began = performance.now()
    const { reading, log } = await readChain('mainnet', feedsOf('mainnet').slice(0, 1), context)
    return { reading, log, tookMs: performance.now() - began }
  }
}

const unavailable = { document: { type: 'urn:problem-type:price-lookup:chain-unavailable' } }

test('a read ends before the function’s own time is up (D24)', async () => {
  await using silent = await startFaultyNode(() => {})
  const read = await startContainer(silent.url.href)
  const { reading, tookMs } = await read(900)
  expect(reading).toMatchObject(unavailable)
  expect(tookMs).toBeLessThan(900)
})

test('a read that reloads its URLs still ends at its deadline, and its log keeps every fault (D22, D24)', async () => {
  await using refusing = await startFaultyNode(response => void setTimeout(() => response.writeHead(401).end(), 400))
  const read = await startContainer(refusing.url.href)
  await read()
  await store.stop()
  await using silent = await startFaultyNode(() => {})
  vi.stubEnv('AWS_ENDPOINT_URL_SSM', silent.url.origin)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  // Of these, 500 ms are kept for the answer: 400 are left when the endpoint has refused.
  const { reading, log, tookMs } = await read(1_300)
  expect(reading).toMatchObject(unavailable)
  expect(log.faults).toEqual([
    { endpoint: 'rpc-1', kind: 'unauthorized', httpStatus: 401 },
    { endpoint: 'ssm', kind: 'parameter-store' },
  ])
  expect(tookMs).toBeLessThan(1_300)
  expect(refusing.requests).toHaveLength(2)
  store = await startParameterStore(parameters)
})

test('the log of a read that failed holds what was tried (D25)', async () => {
  await using down = await startFaultyNode(response => response.writeHead(502).end())
  const read = await startContainer(`${down.url} ${down.url}`)
  expect((await read()).log).toEqual({
    network: 'mainnet',
    ssmMs: expect.any(Number),
    rpcMs: expect.any(Number),
    attempts: 4,
    requests: 4,
    faults: ['rpc-1', 'rpc-2', 'rpc-1', 'rpc-2'].map(endpoint => ({ endpoint, kind: 'http-status', httpStatus: 502 })),
  })
})

test('a Parameter Store that does not answer stands in the log, too', async () => {
  const read = await startContainer('https://node.test')
  await store.stop()
  const { reading, log } = await read()
  expect(reading).toMatchObject(unavailable)
  expect(log).toEqual({
    network: 'mainnet',
    ssmMs: expect.any(Number),
    faults: [{ endpoint: 'ssm', kind: 'parameter-store' }],
  })
  store = await startParameterStore(parameters)
})

test('a Parameter Store that fails later stands in the log, beside what came of the stale URLs (D25)', async () => {
  await using refusing = await startFaultyNode(response => response.writeHead(403).end())
  const read = await startContainer(refusing.url.href)
  vi.useFakeTimers({ toFake: ['Date'] })
  const refused = { endpoint: 'rpc-1', kind: 'unauthorized', httpStatus: 403 }
  expect((await read()).log.faults).toEqual([refused])
  await store.stop()
  const lost = { endpoint: 'ssm', kind: 'parameter-store' }
  vi.setSystemTime(Date.now() + 60_000)
  expect((await read()).log.faults).toEqual([refused, lost])
  vi.setSystemTime(Date.now() + 300_000)
  expect((await read()).log.faults).toEqual([lost, refused])
  store = await startParameterStore(parameters)
})

test('a rotated key is found within the same request, and both reads together make one trace (D22)', async () => {
  await using node = await startKeyedNode('mainnet')
  node.accept('new')
  const read = await startContainer(node.toRpcUrl('old'))
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  await read()
  parameters.set('/test', node.toRpcUrl('new'))
  vi.setSystemTime(Date.now() + 60_000)
  const { reading, log } = await read()
  expect(reading).toMatchObject({ reads: [{ reading: { detail: { status: 'OK' } } }] })
  expect(log).toEqual({
    network: 'mainnet',
    block: keyedBlock,
    headAgeSeconds: expect.any(Number),
    endpoint: 'rpc-1',
    round: 1,
    lastResort: false,
    attempts: 2,
    requests: 2,
    faults: [{ endpoint: 'rpc-1', kind: 'unauthorized', httpStatus: 401 }],
    unreadable: [],
    ssmMs: expect.any(Number),
    rpcMs: expect.any(Number),
  })
})
