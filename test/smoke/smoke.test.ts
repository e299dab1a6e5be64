import { afterAll, beforeAll, expect, test } from 'vitest'
import registry from '../../lambda/feeds/registry.json' with { type: 'json' }
import { startGateway } from '../../local/gateway.ts'
import { type Sandbox, startSandbox } from '../../local/sandbox.ts'
import { misbehave } from '../../local/stand-in-feed.ts'
import { startAlteringProxy } from './altering-proxy.ts'
import { type Deployment, deployments } from './deployments.ts'
import { runSmoke } from './run-smoke.ts'

let world: Sandbox
const stops: (() => PromiseLike<void>)[] = []
const runs = new Map<string, Promise<Awaited<ReturnType<typeof runSmoke>> & { count: number }>>()

// All at once, because each waits ten seconds for the cache. Each has a gateway, and so a cache, of its own.
beforeAll(async () => {
  world = await startSandbox({ mainnet: 'embedded', testnet: 'embedded' })
  const pfe = registry.mainnet.find(({ symbol }) => symbol === 'PFE')
  const rpcUrl = world.chains.mainnet?.rpcUrl ?? ''
  await misbehave(rpcUrl, pfe?.address as `0x${string}`, 'latestDetail()', { revert: '0x' })
  for (const [name, deployment] of Object.entries<Deployment>(deployments)) runs.set(name, runOn(deployment))
}, 60_000)

afterAll(async () => {
  await Promise.allSettled(runs.values())
  for (const stop of stops) await stop()
  await world[Symbol.asyncDispose]()
})

async function runOn({ template = t => t, alter = () => answer => answer, args = [], keepsUrls }: Deployment) {
  const place = { host: '127.0.0.1', port: 0 }
  const gateway = await startGateway({ ...world, template: template(world.template), ...place })
  const proxy = await startAlteringProxy(gateway.baseUrl, alter(), keepsUrls)
  stops.push(() => proxy[Symbol.asyncDispose](), gateway.stop)
  return { ...(await runSmoke(...args, proxy.baseUrl)), count: proxy.count() }
}

const brokenOf = (printed: string) => [...printed.matchAll(/^ {2}BROKEN {2}(.*?) {2}/gm)].map(([, promise]) => promise)

test.each(Object.entries<Deployment>(deployments))(
  '%s',
  async (name, { breaks }) => {
    const { code, printed, complained } = (await runs.get(name)) ?? {}
    expect(complained).toBe('')
    expect(brokenOf(printed ?? '').sort(), printed).toEqual([...breaks].sort())
    expect(code).toBe(breaks.length === 0 ? 0 : 1)
  },
  60_000,
)

test('a run is some seventy requests, counted, and says what it saw', async () => {
  const { printed = '', count } = (await runs.get('ours breaks none')) ?? {}
  expect(count).toBeLessThan(100)
  expect(printed).toMatch(
    new RegExp(`^34 promises kept, 0 broken; ${count} requests in \\d+\\.\\d s, 0 throttled\\.$`, 'm'),
  )
  expect(printed).toContain('20 × 200, 1 × 502 Feed unreadable')
  expect(printed).toContain('multipliers of up to 19 digits')
}, 60_000)

test('every open question has its answer', async () => {
  const { printed = '' } = (await runs.get('ours breaks none')) ?? {}
  const answers = [...printed.matchAll(/^ {2}(\S.*\?)\n {4}ANSWER: (.*)$/gm)].map(([, question, answer]) => ({
    question,
    answer,
  }))
  expect(answers).toEqual([
    { question: expect.stringContaining('ArbSys'), answer: expect.stringMatching(/^mainnet: yes.*; testnet: yes/) },
    { question: expect.stringContaining('Authorization'), answer: 'Yes: 404 Unknown route.' },
    {
      question: expect.stringContaining('repeated'),
      answer:
        'network=mainnet&network=testnet is answered by testnet; network=testnet&network=mainnet is answered by mainnet. ' +
        'network=mainnet was given the answer of network=testnet&network=mainnet; ' +
        'network=testnet was given the answer of network=mainnet&network=testnet.',
    },
    { question: expect.stringContaining('empty'), answer: expect.stringMatching(/^No\./) },
    { question: expect.stringContaining('slash'), answer: expect.stringMatching(/^\/price\/ after .*yes; .*yes\.$/) },
    {
      question: expect.stringContaining('Date'),
      answer: expect.stringMatching(/Date is \d+ s later .* Age is not there|no hit later/),
    },
    {
      question: expect.stringContaining('5xx'),
      answer: expect.stringContaining('GET /price/PFE: 502 Feed unreadable in'),
    },
  ])
}, 60_000)

test('a network that is away is broken by its problem’s name', async () => {
  const { printed = '' } = (await runs.get('one whose testnet is away')) ?? {}
  expect(printed).toMatch(/BROKEN {2}testnet: the list answers +503 Chain unavailable$/m)
  expect(printed).toMatch(/unseen {2}testnet: every feed answers at its URL +there is no list$/m)
  expect(printed).toContain('testnet: open, the list was 503 Chain unavailable')
}, 60_000)

test('a 429 is waited for, once', async () => {
  const { printed = '' } = (await runs.get('ours throttles for a moment')) ?? {}
  expect(printed).toMatch(/, 1 throttled\.$/m)
}, 60_000)
