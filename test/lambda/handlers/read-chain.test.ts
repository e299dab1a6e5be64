import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { parseSettings } from '../../../lambda/settings.ts'
import { attemptMs, hedgeDelayMs, parameterStoreResponseMs, readMs, rpcUrlsTtlMs } from '../../../lambda/timing.ts'
import type { ParameterStore } from '../../../local/parameter-store.ts'
import { correct } from '../../support/chain/correct-node.ts'
import { type FaultyNode, type Respond, silence, startFaultyNode, status } from '../../support/chain/faulty-node.ts'
import { feed } from '../../support/chain/read-in-rounds.ts'
import { until } from '../../support/clock.ts'
import { startStoreProxy, startStubbedStore, withoutPauses } from '../../support/container.ts'

const parameters = new Map<string, string>()
let store: ParameterStore

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] })
  // The clock starts at another moment than 0, so that a time differs from a duration.
  vi.advanceTimersByTime(1_000)
  store = await startStubbedStore(parameters)
})

afterEach(async () => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  await store.stop()
})

/** Starts a container. */
async function startContainer(rpcUrls: string) {
  parameters.set('mainnet', rpcUrls)
  vi.resetModules()
  const { readChain } = await import('../../../lambda/handlers/read-chain.ts')
  return (feeds = [feed]) => readChain('mainnet', feeds, parseSettings(process.env))
}

/** Moves the clock by one of these times after each request to a node. */
async function passTime(node: FaultyNode, timesMs: readonly number[]): Promise<void> {
  for (const [index, ms] of timesMs.entries()) {
    await until(() => node.requests.length > index)
    await vi.advanceTimersByTimeAsync(ms)
  }
}

/** Moves the clock to the next load of the RPC URLs. */
const expireUrls = () => vi.setSystemTime(Date.now() + rpcUrlsTtlMs)
const served = { feeds: [{ detail: { status: 'OK' } }] }
const unavailable = { body: { type: 'urn:problem-type:price-lookup:chain-unavailable' } }
const storeFault = { kind: 'parameter-store' }

test('a read of three silent endpoints ends in the second round, its time after the first RPC URLs were loaded (D24)', async () => {
  const ssmMs = parameterStoreResponseMs - 100
  await using silent = await startFaultyNode(silence)
  await using _slowStore = await startStoreProxy(store, () => vi.advanceTimersByTimeAsync(ssmMs))
  const read = await startContainer(Array(3).fill(silent.url).join(' '))
  const ended = vi.fn()
  const result = read().finally(ended)
  // The first round takes two hedging delays and the third attempt. The second round has the rest of the time.
  const restMs = readMs - 2 * hedgeDelayMs - attemptMs
  await passTime(silent, [hedgeDelayMs, hedgeDelayMs, attemptMs, restMs])
  await turn()
  expect(ended).toHaveBeenCalledOnce()
  const { reading, trace } = await result
  expect(reading).toMatchObject(unavailable)
  const second = ['rpc-1', 'rpc-2', 'rpc-3'].slice(0, Math.ceil(restMs / hedgeDelayMs))
  const upstreamFaults = ['rpc-1', 'rpc-2', 'rpc-3', ...second].map(endpoint => ({ endpoint, kind: 'timeout' }))
  expect(trace).toEqual({ ssmMs, rpcMs: readMs, attempts: upstreamFaults.length, upstreamFaults })
})

test('the trace has the fault of a Parameter Store that does not respond', async () => {
  // No service listens at port 1. Another node could take the port of one that has stopped.
  vi.stubEnv('AWS_ENDPOINT_URL_SSM', 'http://127.0.0.1:1')
  const read = await startContainer('https://node.test')
  const { reading, trace } = await withoutPauses(read())
  expect(reading).toMatchObject(unavailable)
  expect(trace).toEqual({ ssmMs: 0, upstreamFaults: [storeFault] })
})

test('a warm container reads at its cached URLs while it reloads them, and has the time of both (D22)', async () => {
  let isWarm = false
  const nodeAsked = Promise.withResolvers<void>()
  const storeAsked = Promise.withResolvers<void>()
  await using node = await startFaultyNode(async (...request) => {
    if (isWarm) {
      nodeAsked.resolve()
      await storeAsked.promise
    }
    correct(...request)
  })
  await using _slowStore = await startStoreProxy(store, async () => {
    if (!isWarm) return
    storeAsked.resolve()
    await nodeAsked.promise
    await vi.advanceTimersByTimeAsync(20)
  })
  const read = await startContainer(node.url.href)
  expect((await read()).trace).toMatchObject({ ssmMs: 0 })
  isWarm = true
  expireUrls()
  const { reading, trace } = await read()
  expect(reading).toMatchObject(served)
  expect(trace).toMatchObject({ attempts: 1, ssmMs: 20, upstreamFaults: [] })
  expect(node.requests).toHaveLength(2)
  expect((await read()).trace).toMatchObject({ ssmMs: 0 })
})

test.each<[string, Respond]>([
  ['a price', correct],
  ['a problem', status(401)],
])('%s of a URL that the reload replaced does not count, nor do its faults (D22)', async (_, respond) => {
  await using former = await startFaultyNode(respond)
  await using current = await startFaultyNode(correct)
  const read = await startContainer(former.url.href)
  await read()
  parameters.set('mainnet', current.url.href)
  expireUrls()
  const { reading, trace } = await read()
  expect(reading).toMatchObject(served)
  expect(trace).toMatchObject({ attempts: 1, upstreamFaults: [], endpoint: 'rpc-1', round: 1 })
  expect(current.requests).toHaveLength(1)
})

test('URLs in another order are other URLs (D22)', async () => {
  await using first = await startFaultyNode(correct)
  await using second = await startFaultyNode(correct)
  const read = await startContainer(`${first.url} ${second.url}`)
  await read()
  parameters.set('mainnet', `${second.url} ${first.url}`)
  expireUrls()
  expect((await read()).trace).toMatchObject({ attempts: 1, endpoint: 'rpc-1' })
  expect(second.requests).toHaveLength(1)
})

test('the read with the new URLs has the time of a whole read, after a read with the former URLs (D22)', async () => {
  await using former = await startFaultyNode(silence)
  await using current = await startFaultyNode(silence)
  const read = await startContainer(`${former.url}`)
  await Promise.all([read(), passTime(former, [attemptMs, attemptMs])])
  parameters.set('mainnet', `${current.url}`)
  expireUrls()
  const result = read()
  // The reload has ended when the three timers of the read alone are left.
  await until(() => former.requests.length === 3 && vi.getTimerCount() === 3)
  await vi.advanceTimersByTimeAsync(attemptMs)
  await until(() => former.requests.length === 4)
  await vi.advanceTimersByTimeAsync(attemptMs)
  await passTime(current, [attemptMs, attemptMs])
  expect((await result).trace).toMatchObject({ attempts: 2, rpcMs: 2 * attemptMs })
})

test('a read that throws is reported, also if the reload replaced its URLs, and does not end before the reload (D22)', async () => {
  await using node = await startFaultyNode(correct)
  let reloads = 0
  await using slowStore = await startStoreProxy(store, async () => {
    for (let turns = 0; turns < 100; turns += 1) await turn()
    reloads += 1
  })
  const read = await startContainer(node.url.href)
  await read()
  // A read with the new URLs would succeed.
  parameters.set('mainnet', `${node.url.href}?new`)
  expireUrls()
  let reads = 0
  const faultyFeed = {
    ...feed,
    get address() {
      reads += 1
      if (reads === 1) throw new Error('a bug')
      return feed.address
    },
  }
  await expect(read([faultyFeed])).rejects.toThrow('a bug')
  expect([slowStore.requests.length, reloads]).toEqual([2, 2])
})

test('the trace has the faults of Parameter Store and of the endpoints at stale URLs', async () => {
  const refused = { endpoint: 'rpc-1', kind: 'unauthorized', httpStatus: 401 }
  await using refusing = await startFaultyNode(status(401))
  const read = await startContainer(refusing.url.href)
  expect((await read()).trace.upstreamFaults).toEqual([refused, refused])
  parameters.delete('mainnet')
  expireUrls()
  expect((await read()).trace.upstreamFaults).toEqual([storeFault, refused, refused])
})
