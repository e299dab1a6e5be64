import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import registry from '../../lambda/feeds/registry.json' with { type: 'json' }
import { feedsOf } from '../../lambda/feeds/registry.ts'
import { networks, toQuery } from '../../lambda/networks.ts'
import { createClient } from '../../smoke/client.ts'
import { handler, runProbe } from '../../smoke/probe.ts'
import { run, runChecks } from '../../smoke/smoke.ts'
import { startFaultyNode, status } from '../support/chain/faulty-node.ts'
import { makeUnreadable } from '../support/local/make-unreadable.ts'
import { type Service, startService } from '../support/service.ts'
import { createClock } from '../support/smoke/clock.ts'

let service: Service
/** Of the gateway and its clients. */
const clock = createClock()

beforeAll(async () => {
  service = await startService({ nowMs: clock.nowMs })
  await makeUnreadable(service.sandbox, 'PFE')
})

afterAll(() => service[Symbol.asyncDispose]())

// Nothing is cached from the test before: the age of a hit is compared with the real time.
beforeEach(() => clock.sleep(10_000))

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

test('a run sends a request for each feed, two more for each network and 55 others, and passes all checks', async () => {
  const client = createClient(service.gateway.baseUrl, clock)
  const checks = await runChecks(client, true)
  expect(client.replies).toHaveLength(55 + networks.reduce((sum, network) => sum + 2 + feedsOf(network).length, 0))
  expect(checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
  expect(checks).toHaveLength(26 + 4 * networks.length)
  expect(checks).toContainEqual({
    name: 'mainnet: feeds answer at their URLs',
    outcome: 'passed',
    detail: `${registry.mainnet.length - 1} × 200, 1 × 502 Feed unreadable`,
  })
})

test('a host that cannot be reached fails one check', async () => {
  const { url, stop } = await startFaultyNode(status(404))
  await stop()
  const log = vi.spyOn(console, 'log').mockReturnValue()
  expect(await run(createClient(url.origin, clock), true)).toBe(1)
  const reason = 'GET /openapi.json: no response (ECONNREFUSED), first missing of 0'
  const row = `  failed   openapi.json names the networks  ${reason}`
  const sum = '0 passed, 1 failed, 0 skipped; 1 requests in 0.0 s.'
  expect(log.mock.calls).toEqual([[`${url.origin}\n\n${row}\n\n${sum}`]])
})

test('the probe sends one request for the description, and two for each network', async () => {
  const client = createClient(service.gateway.baseUrl, clock)
  const checks = await runProbe(client)
  expect(client.replies.map(({ path }) => path)).toEqual([
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

test('the function of the probe fails when a check fails', async () => {
  vi.stubEnv('PUBLIC_BASE_URL', service.gateway.baseUrl)
  await expect(handler()).resolves.toBeUndefined()
  await using node = await startFaultyNode(status(404))
  vi.stubEnv('PUBLIC_BASE_URL', node.url.origin)
  const warned = vi.spyOn(console, 'warn').mockReturnValue()
  await expect(handler()).rejects.toEqual(new Error('Checks that failed: 4'))
  expect(warned.mock.calls).toMatchObject([
    [{ check: 'openapi.json names the networks' }],
    [{ check: 'every request is answered, for any origin' }],
    [{ check: 'no problem is stored' }],
    [{ check: 'replies match openapi.json' }],
  ])
  vi.stubEnv('PUBLIC_BASE_URL', undefined)
  await expect(handler()).rejects.toEqual(new Error('Missing the environment variable PUBLIC_BASE_URL.'))
})
