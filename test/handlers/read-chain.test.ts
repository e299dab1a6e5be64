import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Feed, feedsOf } from '../../lambda/feeds/registry.ts'
import { attemptMs, hedgeDelayMs, secondRoundPauseMs } from '../../lambda/timing.ts'
import type { ParameterStore } from '../../local/functions/parameter-store.ts'
import { silence, startFaultyNode, status } from '../support/chain/faulty-node.ts'
import { correct, latestBlock } from '../support/chain/keyed-node.ts'
import { contextWith, startStubbedStore, stubEnvironment } from '../support/container.ts'

const [feed] = feedsOf('mainnet') as readonly [Feed, ...Feed[]]
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
    const { reading, trace } = await readChain('mainnet', [feed], contextWith(remainingMs))
    return { reading, trace, tookMs: performance.now() - began }
  }
}

const unavailable = { document: { type: 'urn:problem-type:price-lookup:chain-unavailable' } }
const storeFault = { kind: 'parameter-store' }

test('a read of three silent endpoints ends after 3.5 s, in the second round (D24)', async () => {
  await using silent = await startFaultyNode(silence)
  const read = await startContainer(Array(3).fill(silent.url).join(' '))
  const { reading, trace, tookMs } = await read()
  expect(reading).toMatchObject(unavailable)
  expect(tookMs).toBeGreaterThan(3_490)
  // Without the deadline, the second round would ask all three again, and take as long as the first.
  expect(trace.attempts).toBeLessThan(6)
  expect(tookMs).toBeLessThan(2 * (2 * hedgeDelayMs + attemptMs))
})

test('a read ends before the function’s own time (D24)', async () => {
  await using silent = await startFaultyNode(silence)
  const read = await startContainer(silent.url.href)
  const { reading, trace } = await read(900)
  expect(reading).toMatchObject(unavailable)
  expect(trace.faults).toEqual([{ endpoint: 'rpc-1', kind: 'timeout' }])
  expect(trace.rpcMs).toBeLessThan(900)
})

test('a read that reloads its URLs ends at its deadline, and its trace has every fault (D22, D24)', async () => {
  await using refusing = await startFaultyNode(response => void setTimeout(() => response.writeHead(401).end(), 400))
  let isSilent = false
  await using parameterStore = await startFaultyNode(response => {
    const value = { Parameters: [{ Name: 'mainnet', Value: refusing.url.href }] }
    if (!isSilent) response.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.1' }).end(JSON.stringify(value))
  })
  stubEnvironment(parameterStore.url.origin)
  const read = await startContainer('')
  await read()
  isSilent = true
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  // Of these, 500 ms are reserved for the response. 200 ms remain when the endpoint has refused.
  const { reading, trace, tookMs } = await read(1_100)
  expect(reading).toMatchObject(unavailable)
  expect(trace.faults).toEqual([{ endpoint: 'rpc-1', kind: 'unauthorized', httpStatus: 401 }, storeFault])
  expect(tookMs).toBeLessThan(1_100)
  expect(refusing.requests).toHaveLength(2)
})

test('a failed read pauses before its second round, and its trace has its attempts and faults (D24, D25)', async () => {
  await using down = await startFaultyNode(status(502))
  const read = await startContainer(`${down.url} ${down.url}`)
  const { trace, tookMs } = await read()
  // A timer may fire a millisecond early.
  expect(tookMs).toBeGreaterThanOrEqual(secondRoundPauseMs.min - 1)
  expect(trace).toEqual({
    ssmMs: expect.any(Number),
    rpcMs: expect.any(Number),
    attempts: 4,
    faults: ['rpc-1', 'rpc-2', 'rpc-1', 'rpc-2'].map(endpoint => ({ endpoint, kind: 'http-status', httpStatus: 502 })),
  })
})

test('the trace has the fault of a Parameter Store that does not respond (D25)', async () => {
  const read = await startContainer('https://node.test')
  await store.stop()
  const { reading, trace } = await read()
  expect(reading).toMatchObject(unavailable)
  expect(trace).toEqual({ ssmMs: expect.any(Number), faults: [storeFault] })
})

test('the trace has the faults of Parameter Store and of the endpoints at stale URLs (D25)', async () => {
  await using refusing = await startFaultyNode(status(403))
  const read = await startContainer(refusing.url.href)
  vi.useFakeTimers({ toFake: ['Date'] })
  const refused = { endpoint: 'rpc-1', kind: 'unauthorized', httpStatus: 403 }
  expect((await read()).trace.faults).toEqual([refused])
  await store.stop()
  vi.setSystemTime(Date.now() + 60_000)
  expect((await read()).trace.faults).toEqual([refused, storeFault])
  vi.setSystemTime(Date.now() + 300_000)
  expect((await read()).trace.faults).toEqual([storeFault, refused])
})

test('a rotated key is found within the same request, and both reads have one trace (D22)', async () => {
  await using node = await startFaultyNode(async (response, body) => {
    await sleep(40)
    const respond = response.req.url?.endsWith('new') ? correct : status(401)
    respond(response, body)
  })
  const read = await startContainer(`${node.url}/old`)
  vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 })
  await read()
  parameters.set('mainnet', `${node.url}/new`)
  vi.setSystemTime(Date.now() + 60_000)
  const { reading, trace } = await read()
  expect(reading).toMatchObject({ head: { block: latestBlock }, feeds: [{ detail: { status: 'OK' } }] })
  expect(trace).toEqual({
    endpoint: 'rpc-1',
    round: 1,
    lastResort: false,
    attempts: 2,
    faults: [{ endpoint: 'rpc-1', kind: 'unauthorized', httpStatus: 401 }],
    ssmMs: expect.any(Number),
    rpcMs: expect.any(Number),
  })
  // A timer may fire a millisecond early.
  expect(trace.rpcMs).toBeGreaterThanOrEqual(2 * 39)
})

test.each([
  ['is down', status(502), unavailable],
  ['is read', correct, { feeds: [{ feed }] }],
])('URLs are not loaded again when one endpoint refuses the key and another %s (D22)', async (_, respond, expected) => {
  await using refusing = await startFaultyNode(status(401))
  await using other = await startFaultyNode(respond)
  const read = await startContainer(`${refusing.url} ${other.url}`)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  await read()
  vi.setSystemTime(Date.now() + 60_000)
  expect((await read()).reading).toMatchObject(expected)
  expect(store.requests).toHaveLength(1)
})
