import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Problem } from '../lambda/problems.ts'
import { type ParameterStore, startParameterStore } from '../local/parameter-store.ts'
import { startFaultyNode } from './chain/faulty-node.ts'
import { stubParameterStore } from './ssm-environment.ts'

const names = { mainnet: '/test/rpc-urls/mainnet', testnet: '/test/rpc-urls/testnet' }
const parameters = new Map<string, string>()
let store: ParameterStore

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  parameters.clear()
  parameters.set(names.mainnet, 'https://one.test/KEY https://two.test').set(names.testnet, 'https://three.test')
  store = await startParameterStore(parameters)
  useStore(store.url)
})

afterEach(async () => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  await store.stop()
})

function useStore(url: string): void {
  stubParameterStore(url)
  vi.stubEnv('RPC_URLS_PARAMETER_MAINNET', names.mainnet)
  vi.stubEnv('RPC_URLS_PARAMETER_TESTNET', names.testnet)
}

/** Starts a container, which has asked nobody yet. */
async function startContainer() {
  vi.resetModules()
  return import('../lambda/rpc-urls.ts')
}

const texts = ({ rpcUrls }: { readonly rpcUrls: readonly URL[] | Problem | undefined }) =>
  Array.isArray(rpcUrls) ? rpcUrls.map(String) : rpcUrls
const urlsOf = ({ rpcUrls }: { readonly rpcUrls: readonly URL[] | Problem | undefined }): readonly URL[] =>
  Array.isArray(rpcUrls) ? rpcUrls : []
const fault = { endpoint: 'ssm', kind: 'parameter-store' }
const problem = (slug: string) => ({ rpcUrls: { document: { type: `urn:problem-type:price-lookup:${slug}` } } })
const minutes = (count: number) => vi.setSystemTime(Date.now() + count * 60_000)

test('the URLs of a network come from its parameter, in their order (D22)', async () => {
  const { loadRpcUrls } = await startContainer()
  expect(texts(await loadRpcUrls('mainnet'))).toEqual(['https://one.test/KEY', 'https://two.test/'])
  expect(texts(await loadRpcUrls('testnet'))).toEqual(['https://three.test/'])
})

test('a container asks once, for both networks and for whoever waits (D22)', async () => {
  const { loadRpcUrls } = await startContainer()
  expect(store.requests).toEqual([])
  await Promise.all([loadRpcUrls('mainnet'), loadRpcUrls('mainnet'), loadRpcUrls('testnet')])
  await loadRpcUrls('testnet')
  expect(store.requests).toEqual(['AmazonSSM.GetParameters'])
})

test('the URLs are kept for five minutes, and then loaded anew (D22)', async () => {
  const { loadRpcUrls } = await startContainer()
  await loadRpcUrls('mainnet')
  parameters.set(names.mainnet, 'https://new.test')
  minutes(4.9)
  expect(texts(await loadRpcUrls('mainnet'))).toEqual(['https://one.test/KEY', 'https://two.test/'])
  minutes(0.1)
  expect(texts(await loadRpcUrls('mainnet'))).toEqual(['https://new.test/'])
  expect(store.requests).toHaveLength(2)
})

test('the old URLs are kept when loading them anew fails, and Parameter Store is not asked by every request (D22)', async () => {
  const { loadRpcUrls } = await startContainer()
  await loadRpcUrls('mainnet')
  parameters.set(names.mainnet, 'no URL').delete(names.testnet)
  minutes(5)
  expect(texts(await loadRpcUrls('mainnet'))).toEqual(['https://one.test/KEY', 'https://two.test/'])
  expect(texts(await loadRpcUrls('testnet'))).toEqual(['https://three.test/'])
  await store.stop()
  minutes(5)
  expect(texts(await loadRpcUrls('mainnet'))).toEqual(['https://one.test/KEY', 'https://two.test/'])
  expect(texts(await loadRpcUrls('testnet'))).toEqual(['https://three.test/'])
  store = await startParameterStore(parameters)
})

test('a failed read is never kept: the next request asks again (D22)', async () => {
  await store.stop()
  const { loadRpcUrls } = await startContainer()
  expect(await loadRpcUrls('mainnet')).toMatchObject(problem('chain-unavailable'))
  store = await startParameterStore(parameters)
  vi.stubEnv('AWS_ENDPOINT_URL_SSM', store.url)
  const { loadRpcUrls: load } = await startContainer()
  expect(texts(await load('testnet'))).toEqual(['https://three.test/'])
})

test('a parameter that was missing is looked for again, but not by every request (D22)', async () => {
  parameters.delete(names.mainnet)
  const { loadRpcUrls } = await startContainer()
  for (let requests = 0; requests < 10; requests += 1) {
    expect(await loadRpcUrls('mainnet')).toMatchObject(problem('not-configured'))
  }
  expect(store.requests).toHaveLength(1)
  parameters.set(names.mainnet, 'https://late.test')
  minutes(0.17)
  expect(texts(await loadRpcUrls('mainnet'))).toEqual(['https://late.test/'])
})

test('a call to Parameter Store that failed is a fault of those who waited for it, though stale URLs are served (D22, D25)', async () => {
  const { loadRpcUrls, reloadRpcUrls } = await startContainer()
  const faultsOf = async () => (await loadRpcUrls('mainnet')).faults
  const refused = urlsOf(await loadRpcUrls('mainnet'))
  minutes(5)
  expect(await faultsOf()).toEqual([])

  parameters.set(names.testnet, 'no URL')
  minutes(5)
  expect(await faultsOf()).toEqual([fault])
  expect(await faultsOf()).toEqual([])

  await store.stop()
  minutes(1)
  expect(await reloadRpcUrls('mainnet', refused, 1_000)).toEqual({ rpcUrls: undefined, faults: [fault] })
  minutes(5)
  expect(await faultsOf()).toEqual([fault])
  store = await startParameterStore(parameters)
})

test('a network is served though the other has no parameter, and does not pay for it', async () => {
  parameters.delete(names.testnet)
  const { loadRpcUrls } = await startContainer()
  await loadRpcUrls('mainnet')
  await loadRpcUrls('mainnet')
  expect(store.requests).toHaveLength(1)
  expect(await loadRpcUrls('testnet')).toMatchObject(problem('not-configured'))
})

test('refused URLs are loaded anew at once, and at most every ten seconds (D22)', async () => {
  const { loadRpcUrls, reloadRpcUrls } = await startContainer()
  const refused = urlsOf(await loadRpcUrls('mainnet'))
  minutes(1)
  parameters.set(names.mainnet, 'https://rotated.test')
  expect(texts(await reloadRpcUrls('mainnet', refused, 1_000))).toEqual(['https://rotated.test/'])
  const rotated = urlsOf(await loadRpcUrls('mainnet'))
  expect(await reloadRpcUrls('mainnet', rotated, 1_000)).toEqual({ rpcUrls: undefined, faults: [] })
  // Whoever was refused with the old ones meanwhile need not ask.
  expect(await reloadRpcUrls('mainnet', refused, 1_000)).toEqual({ rpcUrls: rotated, faults: [] })
  expect(texts(await loadRpcUrls('mainnet'))).toEqual(['https://rotated.test/'])
  expect(store.requests).toHaveLength(2)
  minutes(1)
  // The same again: there is nobody new to ask.
  expect(await reloadRpcUrls('mainnet', rotated, 1_000)).toEqual({ rpcUrls: undefined, faults: [] })
  expect(store.requests).toHaveLength(3)
  minutes(1)
  expect(await reloadRpcUrls('mainnet', rotated, 0)).toEqual({ rpcUrls: undefined, faults: [] })
  expect(store.requests).toHaveLength(3)
})

test.each([
  ['https://a.test', ['https://a.test/']],
  [' https://a.test,\n\thttps://b.test , ', ['https://a.test/', 'https://b.test/']],
  ['http://127.0.0.1:8545', ['http://127.0.0.1:8545/']],
  ['http://localhost:8545/', ['http://localhost:8545/']],
  ['http://[::1]:8545/', ['http://[::1]:8545/']],
  ['HTTPS://A.test', ['https://a.test/']],
])('%j is usable (D22)', async (value, expected) => {
  parameters.set(names.mainnet, value)
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
  'ws://a.test',
  'file:///etc/passwd',
  'https://user:password@a.test',
  'https://user@a.test',
  'https://a.test http://b.test',
  'https://a.test https://b.test https://c.test https://d.test',
])('%j is not usable, which is our problem and not the chain’s (D22)', async value => {
  parameters.set(names.mainnet, value)
  const { loadRpcUrls } = await startContainer()
  expect(await loadRpcUrls('mainnet')).toMatchObject(problem('not-configured'))
})

const refusal = (status: number, type: string) => () =>
  startFaultyNode(response => {
    response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.1' })
    response.end(JSON.stringify({ __type: type, message: 'SECRET' }))
  })

test.each([
  ['denies access', 400, 'AccessDeniedException', 'not-configured'],
  ['knows no such key', 400, 'UnrecognizedClientException', 'not-configured'],
  ['is throttled', 400, 'ThrottlingException', 'chain-unavailable'],
  ['breaks', 500, 'InternalServerError', 'chain-unavailable'],
])('a Parameter Store that %s: %i %s is %s (D19)', async (_, status, type, slug) => {
  vi.useRealTimers()
  await using sick = await refusal(status, type)()
  useStore(sick.url.origin)
  const { loadRpcUrls } = await startContainer()
  const loaded = await loadRpcUrls('mainnet')
  expect(loaded).toMatchObject(problem(slug))
  expect(loaded.faults).toEqual(slug === 'chain-unavailable' ? [fault] : [])
  expect(JSON.stringify(loaded) + String((loaded.rpcUrls as Problem).stack)).not.toContain('SECRET')
})

test('a Parameter Store that says nothing is given up within its own time, or a reload’s (D22)', async () => {
  vi.useRealTimers()
  await using silent = await startFaultyNode(() => {})
  useStore(silent.url.origin)
  const { loadRpcUrls, reloadRpcUrls } = await startContainer()
  expect(await soonerThan(2_500, loadRpcUrls('mainnet'))).toMatchObject(problem('chain-unavailable'))
  expect(await soonerThan(700, reloadRpcUrls('mainnet', [], 200))).toEqual({ rpcUrls: undefined, faults: [fault] })
})

test('a first call to Parameter Store that hangs is repeated within the time of one load (D22)', async () => {
  vi.useRealTimers()
  const value = { Parameters: [{ Name: names.mainnet, Value: 'https://one.test' }], InvalidParameters: [] }
  await using hanging = await startFaultyNode(response => {
    if (hanging.requests.length === 1) return
    response.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.1' }).end(JSON.stringify(value))
  })
  useStore(hanging.url.origin)
  const { loadRpcUrls } = await startContainer()
  expect(texts(await loadRpcUrls('mainnet'))).toEqual(['https://one.test/'])
  expect(hanging.requests).toHaveLength(2)
})

test('a Parameter Store that answers slowly, byte by byte, is given up within its own time (D22)', async () => {
  vi.useRealTimers()
  await using slow = await startFaultyNode(async response => {
    response.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.1' })
    while (!response.destroyed) {
      response.write(' ')
      await sleep(50)
    }
  })
  useStore(slow.url.origin)
  const { loadRpcUrls } = await startContainer()
  expect(await soonerThan(2_500, loadRpcUrls('mainnet'))).toMatchObject(problem('chain-unavailable'))
})

/** Holds a promise to a bound: what takes longer never settles as it should. */
function soonerThan<value>(timeoutMs: number, work: Promise<value>): Promise<value> {
  return Promise.race([work, sleep(timeoutMs).then(() => Promise.reject(new Error('It took too long')))])
}
