import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { networks } from '../../lambda/networks.ts'
import { startGateway } from '../../local/gateway/gateway.ts'
import { type Client, createClient } from '../../smoke/client.ts'
import { runChecks } from '../../smoke/smoke.ts'
import { type Service, startService } from '../support/service.ts'
import { createClock } from '../support/smoke/clock.ts'
import { toReply } from '../support/smoke/reply.ts'

let service: Service
/** Of the gateways and the clients, but not of the command. */
const clock = createClock()

beforeAll(async () => {
  service = await startService({ nowMs: clock.nowMs })
})

afterAll(() => service[Symbol.asyncDispose]())

test('the command waits until the cache of a stage has ended, and no check fails', async () => {
  const { baseUrl, stop } = await startGateway({ ...service.sandbox, host: '127.0.0.1', port: 0 })
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['smoke/smoke.ts', baseUrl])
  expect(stderr).toBe('')
  expect(stdout).toMatch(/^ {2}passed {3}GET \/price is read again after 10 s +200 \S+, then 200 \S+$/m)
  // A machine that is slow enough lets an entry of the cache end between two requests, which is noted.
  expect(stdout).toMatch(/^\d+ passed, 0 failed, (\d noted, )?0 skipped; \d+ requests in [\d.]+ s\.\n$/m)
  await stop()
})

test('a service without a cache passes a run that expects none', async () => {
  const { template, functions } = service.sandbox
  const uncached = { template: { ...template, cacheCluster: false }, functions, nowMs: clock.nowMs }
  const { baseUrl, stop } = await startGateway({ ...uncached, host: '127.0.0.1', port: 0 })
  const checks = await runChecks(createClient(baseUrl, clock), false)
  expect(checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
  // Without two observations of the cache, and two new reads after its expiry.
  expect(checks).toHaveLength(22 + 4 * networks.length)
  await stop()
})

test('while a network is away, the checks that need it fail or are skipped', async () => {
  const client = createClient(service.gateway.baseUrl, clock)
  const ask: Client['ask'] = async (path, ...others) =>
    path.includes('network=testnet')
      ? toReply(path, { title: 'Chain unavailable' }, {}, 503)
      : await client.ask(path, ...others)
  const checks = await runChecks({ ...client, ask }, true)
  expect(checks.filter(({ outcome }) => outcome !== 'passed')).toMatchObject([
    { name: 'the keys of the cache', outcome: 'skipped', detail: 'no symbol of two networks' },
    { name: 'testnet: GET /price lists the feeds', outcome: 'failed' },
    { name: 'an unknown symbol is 404', outcome: 'failed' },
  ])
})
