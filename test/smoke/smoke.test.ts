import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import registry from '../../lambda/feeds/registry.json' with { type: 'json' }
import { type Gateway, startGateway } from '../../local/gateway.ts'
import { type Sandbox, startSandbox } from '../../local/sandbox.ts'
import { misbehave } from '../../local/stand-in-feed.ts'
import type { Template } from '../../local/template.ts'
import { createClient } from '../../smoke/client.ts'
import { handler, runProbe } from '../../smoke/probe.ts'
import { runChecks } from '../../smoke/smoke.ts'
import { toUnthrottled } from '../fuzz/unthrottled.ts'
import { setHeader, startAlteringProxy } from './altering-proxy.ts'
import { createCache, createClock } from './clock.ts'
import { type Deployment, deployments } from './deployments.ts'
import { runSmoke } from './run-smoke.ts'

let sandbox: Sandbox
const gateways: Gateway[] = []
let uncachedUrl: string
let deployed: Promise<Awaited<ReturnType<typeof runSmoke>>>

beforeAll(async () => {
  sandbox = await startSandbox({ mainnet: 'embedded', testnet: 'embedded' })
  const pfe = registry.mainnet.find(({ symbol }) => symbol === 'PFE')
  const rpcUrl = sandbox.chains.mainnet?.rpcUrl ?? ''
  await misbehave(rpcUrl, pfe?.address as `0x${string}`, 'latestDetail()', { revert: '0x' })
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

async function check({ alter = answer => answer, cache = {}, caches, keepsUrls }: Deployment) {
  const clock = createClock()
  const store = createCache(clock, cache)
  const alterAndStore: typeof alter = (answer, request) => store(alter(answer, request), request)
  await using proxy = await startAlteringProxy(uncachedUrl, alterAndStore, keepsUrls ?? false)
  const client = createClient(proxy.baseUrl, clock)
  return { checks: await runChecks(client, caches ?? true), answers: client.answers }
}

test.each(Object.entries(deployments))('%s', async (_, deployment) => {
  const { checks } = await check(deployment)
  const failed = checks.filter(({ outcome }) => outcome === 'failed')
  expect(failed.map(({ name }) => name).toSorted(), JSON.stringify(failed, null, 1)).toEqual(
    deployment.fails.toSorted(),
  )
})

test('a run sends a request for each feed and 56 others, and passes all checks but one, which it skips', async () => {
  const { checks, answers } = await check({ fails: [] })
  expect(answers).toHaveLength(56 + registry.mainnet.length + registry.testnet.length)
  expect(checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([
    {
      name: 'a failure is not cached for other callers',
      outcome: 'skipped',
      detail: 'no failure of the default network',
    },
  ])
  expect(checks).toContainEqual({
    name: 'mainnet: feeds answer at their URLs',
    outcome: 'passed',
    detail: `${registry.mainnet.length - 1} × 200, 1 × 502 Feed unreadable`,
  })
})

test.each([
  ['our service', []],
  ['our service that throttles for a moment', []],
  ['a service without CORS', ['any origin may read every answer']],
  ['a service without Expires', ['a success expires 10 s after its read']],
  ['a service that sends old answers', ['an answer is at most 10 s old when it is sent']],
  ['a service that rounds multipliers', ['mainnet: numbers are exact']],
  ['a service whose testnet is away', ['testnet: GET /price lists the feeds']],
])('the probe makes five requests to %s', async (name, fails) => {
  const { alter }: Deployment = deployments[name] ?? { fails: [] }
  await using proxy = await startAlteringProxy(uncachedUrl, (answer, request) => {
    const { path } = request
    // The probe asks for the first feed. Some of the deployments alter another.
    return alter?.(answer, { ...request, path: path === '/price/AAPL' ? '/price/HIMS' : path }) ?? answer
  })
  const client = createClient(proxy.baseUrl)
  const failed = (await runProbe(client)).filter(({ outcome }) => outcome === 'failed')
  expect(failed.map(check => check.name)).toEqual(fails)
  expect(client.answers.filter(({ status }) => status !== 429)).toHaveLength(fails[0]?.startsWith('testnet') ? 4 : 5)
})

test('the function of the probe fails when a check fails', async () => {
  vi.stubEnv('PUBLIC_BASE_URL', uncachedUrl)
  await expect(handler()).resolves.toBeUndefined()
  await using proxy = await startAlteringProxy(uncachedUrl, setHeader('access-control-allow-origin'))
  vi.stubEnv('PUBLIC_BASE_URL', proxy.baseUrl)
  const warned = vi.spyOn(console, 'warn').mockReturnValue()
  await expect(handler()).rejects.toEqual(new Error('Checks that failed: 1'))
  expect(warned.mock.calls).toMatchObject([[{ check: 'any origin may read every answer' }]])
  vi.stubEnv('PUBLIC_BASE_URL', undefined)
  await expect(handler()).rejects.toEqual(new Error('Missing the environment variable PUBLIC_BASE_URL.'))
})

test('a network that is away fails one check, and those that need it are skipped', async () => {
  const { checks } = await check(deployments['a service whose testnet is away'] ?? { fails: [] })
  expect(checks).toContainEqual({
    name: 'testnet: GET /price lists the feeds',
    outcome: 'failed',
    detail: 'GET /price?network=testnet: 503 Chain unavailable',
  })
  expect(checks.filter(({ outcome }) => outcome === 'skipped')).toEqual([
    ...[
      'the cache keys on the network',
      'an empty network is the default',
      'of repeated networks the last counts',
      'no caller can store an error for others',
      'a trailing slash changes nothing',
    ].map(name => ({ name, outcome: 'skipped', detail: 'no symbol of two networks' })),
    { name: 'testnet: feeds', outcome: 'skipped', detail: 'no list' },
    {
      name: 'a failure is not cached for other callers',
      outcome: 'skipped',
      detail: 'no failure of the default network',
    },
  ])
})

test('the command reports the checks of a deployed stage, whose cache ends after ten real seconds', async () => {
  const { code, printed, complained } = await deployed
  expect({ code, complained }).toEqual({ code: 0, complained: '' })
  expect(printed).toMatch(/^ {2}passed {3}GET \/price is read again after 10 s +200 \S+, 1\d\.\d s later 200 \S+$/m)
  expect(printed).toMatch(/^36 passed, 0 failed, 1 skipped; \d+ requests in 1\d\.\d s, 0 throttled\.\n$/m)
}, 60_000)
