import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Feed, feedsOf } from '../../lambda/feeds/registry.ts'
import { parseSettings } from '../../lambda/settings.ts'
import type { ParameterStore } from '../../local/functions/parameter-store.ts'
import { type FaultyNode, silence, startFaultyNode, status } from '../support/chain/faulty-node.ts'
import { until } from '../support/clock.ts'
import { startStubbedStore, withoutPauses } from '../support/container.ts'

const [feed] = feedsOf('mainnet') as readonly [Feed, ...Feed[]]
const parameters = new Map<string, string>()
let store: ParameterStore

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] })
  // At a moment other than 0, from which a duration differs.
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
  const { readChain } = await import('../../lambda/handlers/read-chain.ts')
  return () => readChain('mainnet', [feed], parseSettings(process.env))
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

test('a read of three silent endpoints ends 3.5 s after the RPC URLs were loaded, in the second round (D24)', async () => {
  await using silent = await startFaultyNode(silence)
  const read = await startContainer(Array(3).fill(silent.url).join(' '))
  await using slowStore = await startFaultyNode(async (response, body) => {
    await vi.advanceTimersByTimeAsync(900)
    const { authorization = '', 'x-amz-target': target } = response.req.headers
    const headers = { Authorization: authorization, 'X-Amz-Target': `${target}` }
    const reply = await fetch(store.variables.AWS_ENDPOINT_URL_SSM, { method: 'POST', headers, body })
    response.end(await reply.text())
  })
  vi.stubEnv('AWS_ENDPOINT_URL_SSM', slowStore.url.href)
  const result = read()
  // Two hedging delays, and the three attempts of 1.5 s. The second round has 800 ms.
  await passTime(silent, [600, 600, 1_500, 600, 200])
  const { reading, trace } = await result
  expect(reading).toMatchObject(unavailable)
  const faults = ['rpc-1', 'rpc-2', 'rpc-3', 'rpc-1', 'rpc-2'].map(endpoint => ({ endpoint, kind: 'timeout' }))
  expect(trace).toEqual({ ssmMs: 900, rpcMs: 3_500, attempts: 5, faults })
})

test('the trace has the fault of a Parameter Store that does not respond', async () => {
  // No service listens at port 1. Another node could take the port of one that has stopped.
  vi.stubEnv('AWS_ENDPOINT_URL_SSM', 'http://127.0.0.1:1')
  const read = await startContainer('https://node.test')
  const { reading, trace } = await withoutPauses(read())
  expect(reading).toMatchObject(unavailable)
  expect(trace).toEqual({ ssmMs: 0, faults: [storeFault] })
})

test('the trace has the faults of Parameter Store and of the endpoints at stale URLs', async () => {
  const refused = { endpoint: 'rpc-1', kind: 'unauthorized', httpStatus: 401 }
  await using refusing = await startFaultyNode(status(401))
  const read = await startContainer(refusing.url.href)
  expect((await read()).trace.faults).toEqual([refused, refused])
  parameters.delete('mainnet')
  minutes(1)
  expect((await read()).trace.faults).toEqual([storeFault, refused, refused])
})
