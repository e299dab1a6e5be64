import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Problem } from '../../../api/problems.ts'
import { parseSettings } from '../../../lambda/settings.ts'
import {
  parameterStoreConnectMs,
  parameterStoreMs,
  parameterStoreResponseMs,
  refusalTtlMs,
  rpcUrlsTtlMs,
} from '../../../lambda/timing.ts'
import { type FaultyNode, type Respond, silence, startFaultyNode, status } from '../../support/chain/faulty-node.ts'
import { until } from '../../support/clock.ts'
import { stubEnvironment, withoutPauses } from '../../support/container.ts'

const parameters = new Map<string, string>()
let store: FaultyNode
/** How Parameter Store responds while it fails. */
let failing: Respond | undefined

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] })
  parameters.set('mainnet', 'https://one.test/KEY https://two.test').set('testnet', 'https://three.test')
  failing = undefined
  store = await startFaultyNode((response, body) => (failing ?? succeed)(response, body))
  stubEnvironment(store.url.origin)
})

afterEach(async () => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  await store.stop()
})

const headers = { 'Content-Type': 'application/x-amz-json-1.1' }
const found = (names: readonly string[]): Respond => {
  const Parameters = names.filter(name => parameters.has(name)).map(Name => ({ Name, Value: parameters.get(Name) }))
  return status(200, JSON.stringify({ Parameters }), headers)
}
const succeed: Respond = (response, body) => found(JSON.parse(body).Names)(response, body)
const fail = (code: number, type: string) => status(code, JSON.stringify({ __type: type, message: 'SECRET' }), headers)

/** Starts a container, which has loaded nothing yet. Returns its load, of which the URLs are texts. */
async function startContainer() {
  vi.resetModules()
  const settings = parseSettings(process.env)
  const { loadRpcUrls } = await import('../../../lambda/rpc-urls/load-rpc-urls.ts')
  return async (network: 'mainnet' | 'testnet') => {
    const { rpcUrls, upstreamFaults } = await withoutPauses(loadRpcUrls(network, settings).loaded)
    return { rpcUrls: Array.isArray(rpcUrls) ? rpcUrls.map(String) : rpcUrls, upstreamFaults }
  }
}

const fault = { kind: 'parameter-store' }
const served = { rpcUrls: ['https://one.test/KEY', 'https://two.test/'], upstreamFaults: [] }
const rotated = { rpcUrls: ['https://rotated.test/'], upstreamFaults: [] }
const problem = (slug: string) => ({ rpcUrls: expect.objectContaining({ slug }) })
const wait = (ms: number) => vi.setSystemTime(Date.now() + ms)

test('a container asks Parameter Store once within a time to live for the decrypted parameter of a network (D22)', async () => {
  const load = await startContainer()
  expect(store.requests).toEqual([])
  expect(await load('mainnet')).toEqual(served)
  parameters.set('mainnet', 'https://rotated.test')
  wait(rpcUrlsTtlMs - 1)
  expect(await load('mainnet')).toEqual(served)
  expect(store.requests.map(body => JSON.parse(body))).toEqual([{ Names: ['mainnet'], WithDecryption: true }])
  wait(1)
  expect(await load('mainnet')).toEqual(rotated)
  expect(store.requests).toHaveLength(2)
})

test('a parameter that Parameter Store refuses leaves the other network alone, and is requested again after a time (D22)', async () => {
  failing = (...request) => (request[1].includes('testnet') ? fail(400, 'InvalidKeyId') : succeed)(...request)
  const load = await startContainer()
  for (const _ of [0, 1]) {
    expect(await load('testnet')).toMatchObject({ ...problem('not-configured'), upstreamFaults: [] })
    expect(await load('mainnet')).toEqual(served)
  }
  expect(store.requests).toHaveLength(2)
  failing = undefined
  wait(refusalTtlMs - 1)
  expect(await load('testnet')).toMatchObject(problem('not-configured'))
  wait(1)
  expect(await load('testnet')).toEqual({ rpcUrls: ['https://three.test/'], upstreamFaults: [] })
  expect(store.requests).toHaveLength(3)
})

test('requests at the same time share one call to Parameter Store', async () => {
  const load = await startContainer()
  expect(await Promise.all([load('mainnet'), load('mainnet')])).toEqual([served, served])
  expect(store.requests).toHaveLength(1)
  expect(vi.getTimerCount()).toBe(0)
})

test('after the clock stepped back, cached URLs are loaded again (D22)', async () => {
  const load = await startContainer()
  await load('mainnet')
  parameters.set('mainnet', 'https://rotated.test')
  wait(-1)
  expect(await load('mainnet')).toEqual(rotated)
})

test.each<[string, () => Respond]>([
  ['fails', () => fail(500, 'InternalServerError')],
  ['has no parameter', () => found([])],
])('while Parameter Store %s, the stale URLs are used, and each load is a fault (D22)', async (_, toResponse) => {
  const load = await startContainer()
  expect(await load('mainnet')).toEqual(served)
  failing = toResponse()
  for (let loads = 0; loads < 2; loads += 1) {
    wait(rpcUrlsTtlMs)
    expect(await load('mainnet')).toEqual({ ...served, upstreamFaults: [fault] })
    expect(await load('mainnet')).toEqual(served)
  }
  failing = undefined
  parameters.set('mainnet', 'https://rotated.test')
  wait(rpcUrlsTtlMs)
  expect(await load('mainnet')).toEqual(rotated)
})

test('a missing parameter is requested again after the time to live', async () => {
  parameters.delete('mainnet')
  const load = await startContainer()
  for (const _ of [0, 1])
    expect(await load('mainnet')).toMatchObject({ ...problem('not-configured'), upstreamFaults: [] })
  parameters.set('mainnet', 'https://one.test/KEY https://two.test')
  wait(rpcUrlsTtlMs - 1)
  expect(await load('mainnet')).toMatchObject(problem('not-configured'))
  expect(store.requests).toHaveLength(1)
  wait(1)
  expect(await load('mainnet')).toEqual(served)
})

test.each([
  ['a URL that the functions refuse', 'https://a.test/KEY;https://b.test/KEY'],
  ['more than three URLs', 'https://a.test https://b.test https://c.test https://d.test'],
])('a parameter with %s is not-configured (D22)', async (_, value) => {
  parameters.set('mainnet', value)
  const load = await startContainer()
  expect(await load('mainnet')).toMatchObject(problem('not-configured'))
})

test.each([
  ['denies access', 400, 'AccessDeniedException', 'not-configured'],
  ['rejects the credentials', 400, 'UnrecognizedClientException', 'not-configured'],
  ['rejects credentials that have expired', 400, 'ExpiredTokenException', 'not-configured'],
  ['rejects the signature', 403, 'InvalidSignatureException', 'not-configured'],
  ['rejects the name of a parameter', 400, 'ValidationException', 'not-configured'],
  ['is throttled', 400, 'ThrottlingException', 'chain-unavailable'],
  ['fails by another name', 400, 'Other', 'chain-unavailable'],
  ['redirects', 302, 'Other', 'chain-unavailable'],
  ['fails', 500, 'InternalServerError', 'chain-unavailable'],
])('a Parameter Store that %s (%i %s) is the problem %s, and is asked again (D22)', async (...row) => {
  const [, code, type, slug] = row
  failing = fail(code, type)
  const load = await startContainer()
  const loaded = await load('mainnet')
  expect(loaded).toMatchObject(problem(slug))
  expect(loaded.upstreamFaults).toEqual(slug === 'chain-unavailable' ? [fault] : [])
  expect(JSON.stringify(loaded) + String((loaded.rpcUrls as Problem).stack)).not.toContain('SECRET')
  failing = undefined
  // A refusal is cached for a time, another failure not at all.
  if (slug === 'not-configured') wait(refusalTtlMs)
  expect(await load('mainnet')).toEqual(served)
})

test('a load from a Parameter Store that does not end its response ends at its time limit', async () => {
  failing = response => response.writeHead(200, headers).write(' ')
  const load = await startContainer()
  const responded = Promise.withResolvers<unknown>()
  const ended = vi.fn()
  subscribe('http.client.response.finish', responded.resolve)
  const loaded = load('mainnet').finally(ended)
  // The client has the headers.
  await responded.promise
  unsubscribe('http.client.response.finish', responded.resolve)
  await vi.advanceTimersByTimeAsync(parameterStoreMs - 1)
  expect(ended).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  // An aborted call ends without a response or a timer.
  for (let turns = 0; turns < 100; turns += 1) await turn()
  expect(ended).toHaveBeenCalledOnce()
  expect(await loaded).toMatchObject(problem('chain-unavailable'))
})

/** A delay of a response within the time limit of one. */
const lateMs = parameterStoreResponseMs - 100
const respondLate: Respond = (response, body) => setTimeout(() => succeed(response, body), lateMs)

/** Waits for a number of requests, or for the end of the load, and lets the responses arrive. */
async function passLateResponse(requests: number, loaded: Promise<unknown>): Promise<void> {
  const ended = vi.fn()
  void loaded.finally(ended)
  await until(() => store.requests.length === requests || ended.mock.calls.length > 0)
  await vi.advanceTimersByTimeAsync(lateMs)
}

test('a call to Parameter Store that is silent leaves time for a second one that is slow', async () => {
  failing = silence
  const load = await startContainer()
  const loaded = load('mainnet')
  await until(() => store.requests.length === 1)
  failing = respondLate
  vi.advanceTimersByTime(parameterStoreResponseMs)
  await passLateResponse(2, loaded)
  expect(await loaded).toEqual(served)
})

test('a connection to Parameter Store that takes too long leaves time for another one that is slow', async () => {
  failing = respondLate
  const load = await startContainer()
  const created = vi.fn(() => {
    // The time limit passes before the socket can connect.
    if (created.mock.calls.length === 1) process.nextTick(() => vi.advanceTimersByTime(parameterStoreConnectMs))
  })
  subscribe('http.client.request.created', created)
  const loaded = load('mainnet')
  await passLateResponse(1, loaded)
  unsubscribe('http.client.request.created', created)
  expect(await loaded).toEqual(served)
  expect(created).toHaveBeenCalledTimes(2)
})
