import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { feedsOf } from '../../lambda/feeds/registry.ts'
import { attemptMs, hedgeDelayMs } from '../../lambda/timing.ts'
import type { ParameterStore } from '../../local/parameter-store.ts'
import { silence, startFaultyNode, status } from '../chain/faulty-node.ts'
import { latestBlock, startKeyedNode } from '../chain/keyed-node.ts'
import { contextWith, startStubbedStore, stubEnvironment } from '../container.ts'

const parameters = new Map<string, string>()
let store: ParameterStore

beforeEach(async () => {
  store = await startStubbedStore(parameters)
})

afterEach(async () => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  await store.stop()
})

/** Starts a container. Its reads have so much of the function's time left. */
async function startContainer(rpcUrls: string) {
  parameters.set('mainnet', rpcUrls)
  vi.resetModules()
  const { readChain } = await import('../../lambda/handlers/read-chain.ts')
  return async (remainingMs = 10_000) => {
    const began = performance.now()
    const { reading, log } = await readChain('mainnet', feedsOf('mainnet').slice(0, 1), contextWith(remainingMs))
    return { reading, log, tookMs: performance.now() - began }
  }
}

const unavailable = { document: { type: 'urn:problem-type:price-lookup:chain-unavailable' } }
const storeFault = { kind: 'parameter-store' }

test('a read of three silent endpoints ends after 3.5 s, in the second round (D24)', async () => {
  await using silent = await startFaultyNode(silence)
  const read = await startContainer(Array(3).fill(silent.url).join(' '))
  const { reading, log, tookMs } = await read()
  expect(reading).toMatchObject(unavailable)
  expect(tookMs).toBeGreaterThan(3_490)
  // Without the deadline, the second round would ask all three again, and take as long as the first.
  expect(log.attempts).toBeLessThan(6)
  expect(tookMs).toBeLessThan(2 * (2 * hedgeDelayMs + attemptMs))
})

test('a read ends before the function’s own time (D24)', async () => {
  await using silent = await startFaultyNode(silence)
  const read = await startContainer(silent.url.href)
  const { reading, log } = await read(900)
  expect(reading).toMatchObject(unavailable)
  expect(log.faults).toEqual([{ endpoint: 'rpc-1', kind: 'timeout' }])
  expect(log.rpcMs).toBeLessThan(900)
})

test('a read that reloads its URLs ends at its deadline, and its log has every fault (D22, D24)', async () => {
  await using refusing = await startFaultyNode(response => void setTimeout(() => response.writeHead(401).end(), 400))
  const read = await startContainer(refusing.url.href)
  await read()
  await store.stop()
  await using silent = await startFaultyNode(silence)
  stubEnvironment(silent.url.origin)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  // Of these, 500 ms are reserved for the response. 400 ms remain when the endpoint has refused.
  const { reading, log, tookMs } = await read(1_300)
  expect(reading).toMatchObject(unavailable)
  expect(log.faults).toEqual([{ endpoint: 'rpc-1', kind: 'unauthorized', httpStatus: 401 }, storeFault])
  expect(tookMs).toBeLessThan(1_300)
  expect(refusing.requests).toHaveLength(2)
})

test('the log of a failed read has its attempts, requests and faults (D25)', async () => {
  await using down = await startFaultyNode(status(502))
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

test('the log has the fault of a Parameter Store that does not answer (D25)', async () => {
  const read = await startContainer('https://node.test')
  await store.stop()
  const { reading, log } = await read()
  expect(reading).toMatchObject(unavailable)
  expect(log).toEqual({ network: 'mainnet', ssmMs: expect.any(Number), faults: [storeFault] })
})

test('the log has the faults of Parameter Store and of the endpoints at stale URLs (D25)', async () => {
  await using refusing = await startFaultyNode(status(403))
  const read = await startContainer(refusing.url.href)
  vi.useFakeTimers({ toFake: ['Date'] })
  const refused = { endpoint: 'rpc-1', kind: 'unauthorized', httpStatus: 403 }
  expect((await read()).log.faults).toEqual([refused])
  await store.stop()
  vi.setSystemTime(Date.now() + 60_000)
  expect((await read()).log.faults).toEqual([refused, storeFault])
  vi.setSystemTime(Date.now() + 300_000)
  expect((await read()).log.faults).toEqual([storeFault, refused])
})

test('a rotated key is found within the same request, and both reads have one log (D22)', async () => {
  await using node = await startKeyedNode('mainnet')
  node.accept('new')
  const read = await startContainer(node.toRpcUrl('old'))
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  await read()
  parameters.set('mainnet', node.toRpcUrl('new'))
  vi.setSystemTime(Date.now() + 60_000)
  const { reading, log } = await read()
  expect(reading).toMatchObject({ reads: [{ reading: { detail: { status: 'OK' } } }] })
  expect(log).toEqual({
    network: 'mainnet',
    block: latestBlock,
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

test('URLs are not loaded again when one endpoint refuses the key and another is down (D22)', async () => {
  await using refusing = await startFaultyNode(status(401))
  await using down = await startFaultyNode(status(502))
  const read = await startContainer(`${refusing.url} ${down.url}`)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  await read()
  vi.setSystemTime(Date.now() + 60_000)
  expect((await read()).reading).toMatchObject(unavailable)
  expect(store.requests).toHaveLength(1)
})
