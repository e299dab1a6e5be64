import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Problem } from '../lambda/problems.ts'
import { parameterStoreConnectMs, parameterStoreMs, parameterStoreResponseMs } from '../lambda/timing.ts'
import { type ParameterStore, startParameterStore } from '../local/functions/parameter-store.ts'
import { type Respond, silence, startFaultyNode } from './support/chain/faulty-node.ts'
import { until } from './support/clock.ts'
import { startStubbedStore, stubEnvironment, withoutPauses } from './support/container.ts'

const parameters = new Map<string, string>()
let store: ParameterStore

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] })
  parameters.clear()
  parameters.set('mainnet', 'https://one.test/KEY https://two.test').set('testnet', 'https://three.test')
  store = await startStubbedStore(parameters)
})

afterEach(async () => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  await store.stop()
})

/** Starts a container, which has loaded nothing yet. */
async function startContainer() {
  vi.resetModules()
  const { loadRpcUrls } = await import('../lambda/rpc-urls.ts')
  return { loadRpcUrls: (...options: Parameters<typeof loadRpcUrls>) => withoutPauses(loadRpcUrls(...options)) }
}

const texts = ({ rpcUrls }: { readonly rpcUrls: readonly URL[] | Problem | undefined }) =>
  Array.isArray(rpcUrls) ? rpcUrls.map(String) : rpcUrls
const fault = { kind: 'parameter-store' }
const problem = (slug: string) => ({ rpcUrls: { document: { type: `urn:problem-type:price-lookup:${slug}` } } })
const minutes = (count: number) => vi.setSystemTime(Date.now() + count * 60_000)

test('a network’s URLs are those of its parameter, in their order (D22)', async () => {
  const { loadRpcUrls } = await startContainer()
  expect(texts(await loadRpcUrls('mainnet'))).toEqual(['https://one.test/KEY', 'https://two.test/'])
  expect(texts(await loadRpcUrls('testnet'))).toEqual(['https://three.test/'])
})

test('a container asks Parameter Store once, for both networks and all concurrent requests (D22)', async () => {
  const { loadRpcUrls } = await startContainer()
  expect(store.requests).toEqual([])
  await Promise.all([loadRpcUrls('mainnet'), loadRpcUrls('mainnet'), loadRpcUrls('testnet')])
  await loadRpcUrls('testnet')
  expect(store.requests).toEqual(['AmazonSSM.GetParameters'])
})

test('the URLs are cached for a minute, then loaded again: a rotated key is in use within it (D22)', async () => {
  const { loadRpcUrls } = await startContainer()
  await loadRpcUrls('mainnet')
  parameters.set('mainnet', 'https://new.test')
  minutes(0.9)
  expect(texts(await loadRpcUrls('mainnet'))).toEqual(['https://one.test/KEY', 'https://two.test/'])
  minutes(0.1)
  expect(texts(await loadRpcUrls('mainnet'))).toEqual(['https://new.test/'])
  expect(store.requests).toHaveLength(2)
})

test('stale URLs are served when loading fails (D22)', async () => {
  const { loadRpcUrls } = await startContainer()
  await loadRpcUrls('mainnet')
  parameters.set('mainnet', 'no URL').delete('testnet')
  minutes(5)
  expect(texts(await loadRpcUrls('mainnet'))).toEqual(['https://one.test/KEY', 'https://two.test/'])
  expect(texts(await loadRpcUrls('testnet'))).toEqual(['https://three.test/'])
  await store.stop()
  minutes(5)
  expect(texts(await loadRpcUrls('mainnet'))).toEqual(['https://one.test/KEY', 'https://two.test/'])
  expect(texts(await loadRpcUrls('testnet'))).toEqual(['https://three.test/'])
  store = await startParameterStore(parameters)
})

test('a missing parameter is looked up again, but not by every request (D22)', async () => {
  parameters.delete('mainnet')
  const { loadRpcUrls } = await startContainer()
  for (let requests = 0; requests < 10; requests += 1) {
    expect(await loadRpcUrls('mainnet')).toMatchObject(problem('not-configured'))
  }
  expect(store.requests).toHaveLength(1)
  parameters.set('mainnet', 'https://late.test')
  minutes(1 / 6)
  expect(texts(await loadRpcUrls('mainnet'))).toEqual(['https://late.test/'])
})

test('a failed load is a fault of the requests that waited for it, even with stale URLs (D22, D25)', async () => {
  const { loadRpcUrls } = await startContainer()
  const faultsOf = async () => (await loadRpcUrls('mainnet')).faults
  const loaded = await loadRpcUrls('mainnet')
  expect(loaded.faults).toEqual([])
  minutes(1)
  expect(await faultsOf()).toEqual([])

  parameters.set('testnet', 'no URL')
  minutes(1)
  expect(await faultsOf()).toEqual([fault])
  expect(await faultsOf()).toEqual([])

  await store.stop()
  minutes(1)
  expect(await loadRpcUrls('mainnet')).toEqual({ rpcUrls: loaded.rpcUrls, faults: [fault] })
  store = await startParameterStore(parameters)
})

test('a network without a parameter does not affect the other', async () => {
  parameters.delete('testnet')
  const { loadRpcUrls } = await startContainer()
  await loadRpcUrls('mainnet')
  await loadRpcUrls('mainnet')
  expect(store.requests).toHaveLength(1)
  expect(await loadRpcUrls('testnet')).toMatchObject(problem('not-configured'))
})

test('after the clock stepped back, cached URLs are loaded again (D22)', async () => {
  const { loadRpcUrls } = await startContainer()
  await loadRpcUrls('mainnet')
  parameters.set('mainnet', 'https://rotated.test')
  minutes(-5)
  expect(texts(await loadRpcUrls('mainnet'))).toEqual(['https://rotated.test/'])
})

test.each([
  ['https://a.test https://b.test', true],
  ['https://a.test https://b.test https://b.test/other-key', true],
  ['https://a.test', false],
  ['https://a.test https://a.test/other-key https://A.test', false],
])('where two endpoints must agree, the parameter %j is usable: %s (D29)', async (value, isUsable) => {
  vi.stubEnv('AGREEMENT', '2')
  parameters.set('mainnet', value)
  const { loadRpcUrls } = await startContainer()
  const { rpcUrls } = await loadRpcUrls('mainnet')
  expect(rpcUrls).toMatchObject(isUsable ? expect.any(Array) : problem('not-configured').rpcUrls)
})

test.each([
  ['https://a.test', ['https://a.test/']],
  [' https://a.test,\n\thttps://b.test , ', ['https://a.test/', 'https://b.test/']],
  ['http://127.0.0.1:8545', ['http://127.0.0.1:8545/']],
  ['http://localhost:8545/', ['http://localhost:8545/']],
  ['http://127.0.0.10:8545/', ['http://127.0.0.10:8545/']],
  ['http://[::1]:8545/', ['http://[::1]:8545/']],
  ['HTTPS://A.test', ['https://a.test/']],
])('the parameter %j is usable (D22)', async (value, expected) => {
  parameters.set('mainnet', value)
  const { loadRpcUrls } = await startContainer()
  expect(texts(await loadRpcUrls('mainnet'))).toEqual(expected)
})

test.each([
  '',
  ' , ',
  'no URL',
  'http://a.test',
  'http://127.0.0.1.a.test',
  'http://localhost.a.test',
  'http://not-localhost',
  'ws://a.test',
  'ws://localhost:8545',
  'file:///etc/passwd',
  'https://user:password@a.test',
  'https://user@a.test',
  'https://:password@a.test',
  'https://a.test http://b.test',
  'https://a.test https://b.test https://c.test https://d.test',
])('the parameter %j is not-configured (D22)', async value => {
  parameters.set('mainnet', value)
  const { loadRpcUrls } = await startContainer()
  expect(await loadRpcUrls('mainnet')).toMatchObject(problem('not-configured'))
})

const headers = { 'Content-Type': 'application/x-amz-json-1.1' }
test.each([
  ['denies access', 400, 'AccessDeniedException', 'not-configured'],
  ['rejects the credentials', 400, 'UnrecognizedClientException', 'not-configured'],
  ['is throttled', 400, 'ThrottlingException', 'chain-unavailable'],
  ['limits the rate', 429, 'Other', 'chain-unavailable'],
  ['redirects', 302, 'Other', 'chain-unavailable'],
  ['fails', 500, 'InternalServerError', 'chain-unavailable'],
  ['returns no parameters', 200, 'Other', 'not-configured'],
])('a Parameter Store that %s (%i %s) is the problem %s (D19)', async (_, status, type, slug) => {
  await using faulty = await startFaultyNode(response =>
    response.writeHead(status, headers).end(JSON.stringify({ __type: type, message: 'SECRET' })),
  )
  stubEnvironment(faulty.url.origin)
  const { loadRpcUrls } = await startContainer()
  const loaded = await loadRpcUrls('mainnet')
  expect(loaded).toMatchObject(problem(slug))
  expect(loaded.faults).toEqual(slug === 'chain-unavailable' ? [fault] : [])
  expect(JSON.stringify(loaded) + String((loaded.rpcUrls as Problem).stack)).not.toContain('SECRET')
})

test.each([
  ['mainnet', 'testnet', ['mainnet', 'testnet']],
  ['shared', 'shared', ['shared']],
  ['mainnet', undefined, ['mainnet']],
])('of the parameters %s and %s, each is requested once, decrypted (D22)', async (mainnet, testnet, names) => {
  const value = { Parameters: [{ Name: mainnet, Value: 'https://one.test' }], InvalidParameters: [] }
  await using node = await startFaultyNode(response => response.writeHead(200, headers).end(JSON.stringify(value)))
  stubEnvironment(node.url.origin)
  vi.stubEnv('RPC_URLS_PARAMETER_MAINNET', mainnet)
  vi.stubEnv('RPC_URLS_PARAMETER_TESTNET', testnet)
  const { loadRpcUrls } = await startContainer()
  expect(texts(await loadRpcUrls('mainnet'))).toEqual(['https://one.test/'])
  expect(node.requests.map(body => JSON.parse(body))).toEqual([{ Names: names, WithDecryption: true }])
})

test('stale URLs are served for ten seconds after Parameter Store denied access (D22)', async () => {
  const value = { Parameters: [{ Name: 'mainnet', Value: 'https://one.test' }], InvalidParameters: [] }
  let status = 200
  await using node = await startFaultyNode(response =>
    response.writeHead(status, headers).end(JSON.stringify({ ...value, __type: 'AccessDeniedException' })),
  )
  stubEnvironment(node.url.origin)
  const { loadRpcUrls } = await startContainer()
  await loadRpcUrls('mainnet')
  status = 400
  minutes(5)
  for (const faults of [[fault], []]) {
    const loaded = await loadRpcUrls('mainnet')
    expect(texts(loaded)).toEqual(['https://one.test/'])
    expect(loaded.faults).toEqual(faults)
  }
  minutes(1 / 6)
  expect((await loadRpcUrls('mainnet')).faults).toEqual([fault])
})

test.each([
  [500, 'InternalServerError', 'chain-unavailable'],
  [400, 'AccessDeniedException', 'not-configured'],
])(
  'a failed load (%i %s) is not cached: the next request of the container loads again (D22)',
  async (code, type, slug) => {
    const value = { Parameters: [{ Name: 'mainnet', Value: 'https://one.test' }], InvalidParameters: [] }
    let status = code
    await using node = await startFaultyNode(response =>
      response.writeHead(status, headers).end(JSON.stringify({ ...value, __type: type })),
    )
    stubEnvironment(node.url.origin)
    const { loadRpcUrls } = await startContainer()
    expect(await loadRpcUrls('mainnet')).toMatchObject(problem(slug))
    status = 200
    expect(texts(await loadRpcUrls('mainnet'))).toEqual(['https://one.test/'])
  },
)

test.each<[string, Respond]>([
  ['is silent', silence],
  ['does not end its response', response => response.writeHead(200, headers).write(' ')],
])('a load from a Parameter Store that %s ends at its time limit (D22)', async (_, respond) => {
  await using slow = await startFaultyNode(respond)
  stubEnvironment(slow.url.origin)
  const { loadRpcUrls } = await startContainer()
  const ended = vi.fn()
  const load = loadRpcUrls('mainnet').finally(ended)
  await until(() => slow.requests.length === 1)
  await vi.advanceTimersByTimeAsync(parameterStoreMs - 1)
  expect(ended).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(await load).toMatchObject(problem('chain-unavailable'))
})

test('a call to Parameter Store that hangs is repeated within the time limit of one load (D22)', async () => {
  const value = { Parameters: [{ Name: 'mainnet', Value: 'https://one.test' }], InvalidParameters: [] }
  await using hanging = await startFaultyNode(response => {
    if (hanging.requests.length === 1) return
    response.writeHead(200, headers).end(JSON.stringify(value))
  })
  stubEnvironment(hanging.url.origin)
  const { loadRpcUrls } = await startContainer()
  const load = loadRpcUrls('mainnet')
  await until(() => hanging.requests.length === 1)
  vi.advanceTimersByTime(parameterStoreResponseMs)
  expect(texts(await load)).toEqual(['https://one.test/'])
  expect(hanging.requests).toHaveLength(2)
})

test('a connection to Parameter Store that takes too long is replaced by another one (D22)', async () => {
  const { loadRpcUrls } = await startContainer()
  const created = vi.fn(() => {
    // Before the socket can connect.
    if (created.mock.calls.length === 1) process.nextTick(() => vi.advanceTimersByTime(parameterStoreConnectMs))
  })
  subscribe('http.client.request.created', created)
  const loaded = await loadRpcUrls('mainnet')
  unsubscribe('http.client.request.created', created)
  expect(texts(loaded)).toEqual(['https://one.test/KEY', 'https://two.test/'])
  expect(created).toHaveBeenCalledTimes(2)
  expect(store.requests).toHaveLength(1)
})
