import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import registry from '../../lambda/feeds/registry.json' with { type: 'json' }
import { feedsOf } from '../../lambda/feeds/registry.ts'
import { networks, ofEachNetwork, toQuery } from '../../lambda/networks.ts'
import { setReverts } from '../../local/chains/stand-in-feed.ts'
import { type Gateway, startGateway } from '../../local/gateway/gateway.ts'
import { type Sandbox, startSandbox } from '../../local/sandbox.ts'
import type { Template } from '../../local/template/template.ts'
import type { Caching } from '../../smoke/cache.ts'
import type { Check } from '../../smoke/check.ts'
import { type Client, createClient } from '../../smoke/client.ts'
import { handler, runProbe } from '../../smoke/probe.ts'
import { runChecks } from '../../smoke/smoke.ts'
import { toUnthrottled } from '../support/fuzz/unthrottled.ts'
import { setHeader, startAlteringProxy } from '../support/smoke/altering-proxy.ts'
import { createCache, createClock } from '../support/smoke/clock.ts'
import { type Deployment, deployments, probed } from '../support/smoke/deployments.ts'
import { runSmoke } from '../support/smoke/run-smoke.ts'

let sandbox: Sandbox
const gateways: Gateway[] = []
let uncachedUrl: string
let deployed: Promise<Awaited<ReturnType<typeof runSmoke>>>

beforeAll(async () => {
  sandbox = await startSandbox(ofEachNetwork(() => 'embedded'))
  const pfe = registry.mainnet.find(({ symbol }) => symbol === 'PFE')
  const rpcUrl = sandbox.chains.mainnet?.rpcUrl ?? ''
  await setReverts(rpcUrl, pfe?.address as `0x${string}`, 'latestDetail()', true)
  // The one run that waits for the clock of the stage; the others have a clock of their own.
  deployed = startStage(sandbox.template).then(runSmoke)
  uncachedUrl = await startStage({ ...toUnthrottled(sandbox.template), cacheCluster: false })
}, 60_000)

afterAll(async () => {
  await deployed
  for (const gateway of gateways) await gateway.stop()
  await sandbox[Symbol.asyncDispose]()
})

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

async function startStage(template: Template): Promise<string> {
  const gateway = await startGateway({ ...sandbox, template, host: '127.0.0.1', port: 0 })
  gateways.push(gateway)
  return gateway.baseUrl
}

async function check(
  { alter = reply => reply, cache = {}, caching = 'stage' }: Deployment,
  run: (client: Client, caching: Caching) => Promise<readonly Check[]> = runChecks,
) {
  const clock = createClock()
  const store = createCache(clock, cache)
  const alterAndStore: typeof alter = (reply, request) => store(alter(reply, request), request)
  await using proxy = await startAlteringProxy(uncachedUrl, alterAndStore)
  const client = createClient(proxy.baseUrl, clock)
  const checks = await run(client, caching)
  const failed = checks.filter(({ outcome }) => outcome === 'failed')
  return { checks, replies: client.replies, failed: failed.map(({ name }) => name) }
}

test.each(Object.entries(deployments))('a run: %s', async (_, deployment) => {
  expect((await check(deployment)).failed.toSorted()).toEqual(deployment.fails.toSorted())
})

test.each(Object.entries(probed))('the probe: %s', async (_, deployment) => {
  expect((await check(deployment, runProbe)).failed).toEqual(deployment.fails)
})

test('the probe sends one request for the description, and two for each network', async () => {
  const { checks, replies } = await check({ fails: [] }, runProbe)
  expect(replies.map(({ path }) => path)).toEqual([
    '/openapi.json',
    ...networks.flatMap(network =>
      [toQuery(network), `/${feedsOf(network)[0]?.symbol}${toQuery(network)}`].map(end => `/price${end}`),
    ),
  ])
  expect(checks.filter(({ outcome }) => outcome !== 'passed')).toMatchObject([
    { name: 'no problem is stored', outcome: 'skipped' },
    { name: 'the pages run only their own script and style', outcome: 'skipped' },
  ])
})

test('a run sends a request for each feed, two more for each network and 56 others, and passes all checks', async () => {
  const { checks, replies } = await check({ fails: [] })
  expect(replies).toHaveLength(56 + networks.reduce((sum, network) => sum + 2 + feedsOf(network).length, 0))
  expect(checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
  expect(checks).toContainEqual({
    name: 'mainnet: feeds answer at their URLs',
    outcome: 'passed',
    detail: `${registry.mainnet.length - 1} × 200, 1 × 502 Feed unreadable`,
  })
})

test('the function of the probe fails when a check fails', async () => {
  vi.stubEnv('PUBLIC_BASE_URL', uncachedUrl)
  await expect(handler()).resolves.toBeUndefined()
  await using proxy = await startAlteringProxy(uncachedUrl, setHeader('access-control-allow-origin'))
  vi.stubEnv('PUBLIC_BASE_URL', proxy.baseUrl)
  const warned = vi.spyOn(console, 'warn').mockReturnValue()
  await expect(handler()).rejects.toEqual(new Error('Checks that failed: 2'))
  expect(warned.mock.calls).toMatchObject([
    [{ check: 'every request is answered, for any origin' }],
    [{ check: 'replies match openapi.json' }],
  ])
  vi.stubEnv('PUBLIC_BASE_URL', undefined)
  await expect(handler()).rejects.toEqual(new Error('Missing the environment variable PUBLIC_BASE_URL.'))
})

test('while a network is away, the checks that need it fail or are skipped', async () => {
  const { checks, failed } = await check(probed['a service whose testnet is away'] ?? { fails: [] })
  expect(failed).toEqual(['testnet: GET /price lists the feeds', 'an unknown symbol is 404'])
  expect(checks).toContainEqual({
    name: 'testnet: GET /price lists the feeds',
    outcome: 'failed',
    detail: 'GET /price?network=testnet: 503 Chain unavailable',
  })
  expect(checks.filter(({ outcome }) => outcome === 'skipped')).toEqual([
    { name: 'the keys of the cache', outcome: 'skipped', detail: 'no symbol of two networks' },
  ])
})

test('the command reports the checks of a deployed stage, whose cache ends after ten real seconds', async () => {
  const { code, printed, complained } = await deployed
  expect({ code, complained }).toEqual({ code: 0, complained: '' })
  expect(printed).toMatch(/^ {2}passed {3}GET \/price is read again after 10 s +200 \S+, then 200 \S+$/m)
  const passed = 27 + 4 * networks.length
  expect(printed).toMatch(new RegExp(`^${passed} passed, 0 failed, 0 skipped; \\d+ requests in [\\d.]+ s\\.\n$`, 'm'))
}, 60_000)
