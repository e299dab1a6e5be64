import { afterAll, beforeAll, expect, test } from 'vitest'
import registry from '../../lambda/feeds/registry.json' with { type: 'json' }
import { type Gateway, startGateway } from '../../local/gateway.ts'
import { type Sandbox, startSandbox } from '../../local/sandbox.ts'
import { misbehave } from '../../local/stand-in-feed.ts'
import type { Template } from '../../local/template.ts'
import { createClient } from '../../smoke/client.ts'
import { runChecks } from '../../smoke/smoke.ts'
import { startAlteringProxy } from './altering-proxy.ts'
import { createClock } from './clock.ts'
import { type Deployment, deployments } from './deployments.ts'
import { runSmoke } from './run-smoke.ts'
import { createCache } from './stage-cache.ts'

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
  uncachedUrl = await startStage(withoutLimits(sandbox.template))
}, 60_000)

afterAll(async () => {
  await deployed
  for (const gateway of gateways) await gateway.stop()
  await sandbox[Symbol.asyncDispose]()
})

async function startStage(template: Template): Promise<string> {
  const gateway = await startGateway({ ...sandbox, template, host: '127.0.0.1', port: 0 })
  gateways.push(gateway)
  return gateway.baseUrl
}

/** Removes the cache and the throttling, which count real seconds. */
function withoutLimits(template: Template): Template {
  const throttling = { requestsPerSecond: 1e6, burst: 1e6 }
  const routes = template.routes.map(route => ({ ...route, settings: { ...route.settings, throttling } }))
  return { ...template, routes, cacheCluster: false }
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

test('a run sends 77 requests and passes all checks but one, which it skips', async () => {
  const { checks, answers } = await check({ fails: [] })
  expect(answers).toHaveLength(77)
  expect(checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([
    { name: 'a failure is not cached for other callers', outcome: 'skipped', detail: 'no failure of the mainnet' },
  ])
  expect(checks).toContainEqual({
    name: 'mainnet: every feed answers at its URL',
    outcome: 'passed',
    detail: '20 × 200, 1 × 502 Feed unreadable',
  })
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
      'an empty network is the mainnet',
      'of repeated networks the last counts',
      'no caller can store an error for others',
      'a trailing slash changes nothing',
    ].map(name => ({ name, outcome: 'skipped', detail: 'no symbol of both networks' })),
    { name: 'testnet: feeds', outcome: 'skipped', detail: 'no list' },
    { name: 'a failure is not cached for other callers', outcome: 'skipped', detail: 'no failure of the mainnet' },
  ])
})

test('the command reports the checks of a deployed stage, whose cache ends after ten real seconds', async () => {
  const { code, printed, complained } = await deployed
  expect({ code, complained }).toEqual({ code: 0, complained: '' })
  expect(printed).toMatch(/^ {2}passed {3}GET \/price is read again after 10 s +200 \S+, 1\d\.\d s later 200 \S+$/m)
  expect(printed).toMatch(/^35 passed, 0 failed, 1 skipped; 77 requests in 1\d\.\d s, 0 throttled\.\n$/m)
}, 60_000)
