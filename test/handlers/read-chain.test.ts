import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Feed, feedsOf } from '../../lambda/feeds/registry.ts'
import type { ParameterStore } from '../../local/functions/parameter-store.ts'
import { type FaultyNode, silence, startFaultyNode, status } from '../support/chain/faulty-node.ts'
import { correct, latestBlock } from '../support/chain/keyed-node.ts'
import { until } from '../support/clock.ts'
import { contextWith, startStubbedStore, stubEnvironment, withoutPauses } from '../support/container.ts'

const [feed] = feedsOf('mainnet') as readonly [Feed, ...Feed[]]
const parameters = new Map<string, string>()
let store: ParameterStore

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] })
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
  return (remainingMs?: number) => readChain('mainnet', [feed], contextWith(remainingMs))
}

/** Moves the clock by one of these times after each request to a node. */
async function passTime(node: FaultyNode, timesMs: readonly number[]): Promise<void> {
  for (const [index, ms] of timesMs.entries()) {
    await until(() => node.requests.length > index)
    await vi.advanceTimersByTimeAsync(ms)
  }
}

const minutes = (count: number) => vi.setSystemTime(Date.now() + count * 60_000)
const unavailable = { document: { type: 'urn:problem-type:price-lookup:chain-unavailable' } }
const storeFault = { kind: 'parameter-store' }

test('a read of three silent endpoints ends after 3.5 s, in the second round (D24)', async () => {
  await using silent = await startFaultyNode(silence)
  const read = await startContainer(Array(3).fill(silent.url).join(' '))
  const result = read()
  // Two hedging delays, and the three attempts of 1.5 s. The second round has 800 ms.
  await passTime(silent, [600, 600, 1_500, 600, 200])
  const { reading, trace } = await result
  expect(reading).toMatchObject(unavailable)
  const faults = ['rpc-1', 'rpc-2', 'rpc-3', 'rpc-1', 'rpc-2'].map(endpoint => ({ endpoint, kind: 'timeout' }))
  expect(trace).toEqual({ ssmMs: 0, rpcMs: 3_500, attempts: 5, faults })
})

test('a read ends before the function’s own time (D24)', async () => {
  await using silent = await startFaultyNode(silence)
  const read = await startContainer(silent.url.href)
  const result = read(900)
  // The other 500 ms are reserved for the response.
  await passTime(silent, [400])
  const { reading, trace } = await result
  expect(reading).toMatchObject(unavailable)
  expect(trace).toEqual({ ssmMs: 0, rpcMs: 400, attempts: 1, faults: [{ endpoint: 'rpc-1', kind: 'timeout' }] })
})

const refused = { endpoint: 'rpc-1', kind: 'unauthorized', httpStatus: 401 }

test('a read that reloads its URLs ends at its deadline, and its trace has every fault (D22, D24)', async () => {
  await using refusing = await startFaultyNode(status(401))
  let isSilent = false
  await using parameterStore = await startFaultyNode(response => {
    const value = { Parameters: [{ Name: 'mainnet', Value: refusing.url.href }] }
    if (!isSilent) response.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.1' }).end(JSON.stringify(value))
  })
  stubEnvironment(parameterStore.url.origin)
  const read = await startContainer('')
  await read()
  isSilent = true
  minutes(1)
  const result = read(700)
  await until(() => parameterStore.requests.length === 2)
  await vi.advanceTimersByTimeAsync(200)
  const { reading, trace } = await result
  expect(reading).toMatchObject(unavailable)
  expect(trace.faults).toEqual([refused, storeFault])
  expect(refusing.requests).toHaveLength(2)
})

test('refused URLs are not loaded again after the deadline (D22, D24)', async () => {
  await using refusing = await startFaultyNode(status(401))
  const read = await startContainer(refusing.url.href)
  await read()
  minutes(1)
  for (const remainingMs of [500, 100]) {
    expect(await read(remainingMs)).toMatchObject({ reading: unavailable, trace: { faults: [refused] } })
  }
  expect(store.requests).toHaveLength(1)
})

test('a failed read has its attempts and faults in its trace (D24, D25)', async () => {
  await using down = await startFaultyNode(status(502))
  const read = await startContainer(`${down.url} ${down.url}`)
  const { trace } = await read()
  expect(trace).toEqual({
    ssmMs: 0,
    rpcMs: 0,
    attempts: 4,
    faults: ['rpc-1', 'rpc-2', 'rpc-1', 'rpc-2'].map(endpoint => ({ endpoint, kind: 'http-status', httpStatus: 502 })),
  })
})

test('the trace has the fault of a Parameter Store that does not respond (D25)', async () => {
  const read = await startContainer('https://node.test')
  await store.stop()
  const { reading, trace } = await withoutPauses(read())
  expect(reading).toMatchObject(unavailable)
  expect(trace).toEqual({ ssmMs: 0, faults: [storeFault] })
})

test('the trace has the faults of Parameter Store and of the endpoints at stale URLs (D25)', async () => {
  await using refusing = await startFaultyNode(status(401))
  const read = await startContainer(refusing.url.href)
  expect((await read()).trace.faults).toEqual([refused])
  await store.stop()
  minutes(1)
  expect((await withoutPauses(read())).trace.faults).toEqual([refused, storeFault])
  minutes(5)
  expect((await withoutPauses(read())).trace.faults).toEqual([storeFault, refused])
})

test('a rotated key is found within the same request, and both reads have one trace (D22)', async () => {
  await using node = await startFaultyNode(async (response, body) => {
    await vi.advanceTimersByTimeAsync(40)
    const respond = response.req.url === '/new' ? correct : status(401)
    respond(response, body)
  })
  const read = await startContainer(`${node.url.origin}/old`)
  await read()
  parameters.set('mainnet', `${node.url.origin}/new`)
  minutes(1)
  const { reading, trace } = await read()
  expect(reading).toMatchObject({ head: { block: latestBlock }, feeds: [{ detail: { status: 'OK' } }] })
  const faults = [refused]
  expect(trace).toEqual({ endpoint: 'rpc-1', round: 1, lastResort: false, attempts: 2, faults, ssmMs: 0, rpcMs: 80 })
})

test('requests that are refused at the same time share one load, and all are served (D22)', async () => {
  const count = 40
  const allRefused = Promise.withResolvers<void>()
  let refusals = 0
  await using node = await startFaultyNode(async (response, body) => {
    if (response.req.url === '/new') return correct(response, body)
    refusals += 1
    // The first is the request before the rotation.
    if (refusals === 1 + count) allRefused.resolve()
    if (refusals > 1) await allRefused.promise
    return status(401)(response, body)
  })
  const read = await startContainer(`${node.url.origin}/old`)
  await read()
  parameters.set('mainnet', `${node.url.origin}/new`)
  minutes(1)
  const results = await Promise.all(Array.from({ length: count }, () => read()))
  for (const { reading } of results) expect(reading).toMatchObject({ feeds: [{ detail: { status: 'OK' } }] })
  expect(store.requests).toHaveLength(2)
})

test.each([
  ['is down', status(502), unavailable],
  ['is read', correct, { feeds: [{ feed }] }],
])('URLs are not loaded again when one endpoint refuses the key and another %s (D22)', async (_, respond, expected) => {
  await using refusing = await startFaultyNode(status(401))
  await using other = await startFaultyNode(respond)
  const read = await startContainer(`${refusing.url} ${other.url}`)
  await read()
  minutes(1)
  expect((await read()).reading).toMatchObject(expected)
  expect(store.requests).toHaveLength(1)
})
