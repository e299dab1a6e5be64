import { execFile } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { networks, ofEachNetwork } from '../../lambda/networks.ts'
import { type Gateway, startGateway } from '../../local/gateway/gateway.ts'
import { type Sandbox, startSandbox } from '../../local/sandbox.ts'
import { type Client, createClient } from '../../smoke/client.ts'
import { runChecks } from '../../smoke/smoke.ts'
import { silence, startFaultyNode } from '../support/chain/faulty-node.ts'
import { createClock } from '../support/smoke/clock.ts'
import { toReply } from '../support/smoke/reply.ts'

let sandbox: Sandbox
const gateways: Gateway[] = []

beforeAll(async () => {
  sandbox = await startSandbox(ofEachNetwork(() => 'embedded'))
})

afterAll(async () => {
  for (const gateway of gateways) await gateway.stop()
  await sandbox[Symbol.asyncDispose]()
})

async function start(cacheCluster: boolean, nowMs = () => performance.now()): Promise<string> {
  const template = { ...sandbox.template, cacheCluster }
  const gateway = await startGateway({ ...sandbox, template, host: '127.0.0.1', port: 0, nowMs })
  gateways.push(gateway)
  return gateway.baseUrl
}

/** Runs the command as people do. */
const runSmoke = (...args: string[]) =>
  new Promise<{ code: number | null; printed: string; complained: string }>(resolve => {
    const child = execFile(process.execPath, ['smoke/smoke.ts', ...args], (_, printed, complained) =>
      resolve({ code: child.exitCode, printed, complained }),
    )
  })

test('the command waits until the cache of a stage has ended, and reports all checks', async () => {
  const { code, printed, complained } = await runSmoke(await start(true))
  expect({ code, complained }).toEqual({ code: 0, complained: '' })
  expect(printed).toMatch(/^ {2}passed {3}GET \/price is read again after 10 s +200 \S+, then 200 \S+$/m)
  // A machine that is slow enough lets an entry of the cache end between two requests, which is noted.
  expect(printed.match(/^ {2}(passed|noted) /gm)).toHaveLength(26 + 4 * networks.length)
  expect(printed).toMatch(/^\d+ passed, 0 failed, (\d noted, )?0 skipped; \d+ requests in [\d.]+ s\.\n$/m)
})

test('a host that cannot be reached fails one check', async () => {
  const node = await startFaultyNode(silence)
  await node.stop()
  const baseUrl = `${node.url.origin}/v1`
  const { code, printed, complained } = await runSmoke(`${baseUrl}/`)
  expect({ code, complained }).toEqual({ code: 1, complained: '' })
  expect(printed.replace(/\d+\.\d s/, '0.0 s')).toBe(
    [
      `${baseUrl}\n`,
      '  failed   openapi.json names the networks  GET /openapi.json: no response (ECONNREFUSED), first missing of 0\n',
      '0 passed, 1 failed, 0 skipped; 1 requests in 0.0 s.\n',
    ].join('\n'),
  )
})

test('a wrong command is one sentence and exit code 2', async () => {
  const complained = expect.stringMatching(/^One URL is expected, .*\n$/)
  expect(await runSmoke()).toEqual({ code: 2, printed: '', complained })
})

test('a service without a cache passes a run that expects none', async () => {
  const clock = createClock()
  const checks = await runChecks(createClient(await start(false, clock.nowMs), clock), false)
  expect(checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
  // Without two observations of the cache, and two new reads after its expiry.
  expect(checks).toHaveLength(22 + 4 * networks.length)
})

test('while a network is away, the checks that need it fail or are skipped', async () => {
  const clock = createClock()
  const client = createClient(await start(true, clock.nowMs), clock)
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
