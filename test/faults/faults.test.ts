import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readCall } from '../../lambda/chain/read-call.ts'
import { faultKinds } from '../../lambda/faults.ts'
import registry from '../../lambda/feeds/registry.json' with { type: 'json' }
import { feedsOf } from '../../lambda/feeds/registry.ts'
import { attemptMs, hedgeDelayMs, readMs, responseMs } from '../../lambda/timing.ts'
import { type Chain, startChain, toChainKind } from '../../local/chains/chains.ts'
import { toStandInFeeds } from '../../local/chains/stand-in-feeds.ts'
import type { ParameterStore } from '../../local/functions/parameter-store.ts'
import { canary, type FaultyNode, forward, silence, startFaultyNode, startProxyNode } from '../chain/faulty-node.ts'
import { type Container, captureConsole, startContainer, startStubbedStore } from '../container.ts'
import { results } from './cases/abi.ts'
import { rounds, unreadableFeeds } from './cases/feeds.ts'
import { bodies } from './cases/json.ts'
import { network } from './cases/network.ts'
import { responses } from './cases/responses.ts'
import { rpcErrors } from './cases/rpc-errors.ts'
import { symbol } from './changed-results.ts'
import {
  type CorrectBodies,
  expectList,
  expectNoLeak,
  expectPrice,
  expectSuccess,
  parseLogged,
  withoutTimes,
} from './expectations.ts'
import type { Expected, FaultCase } from './fault-case.ts'

// One case in two pauses before the second round.
vi.mock(import('node:timers/promises'), async load => (await import('../chain/pauses.ts')).shortenPauses(await load()))
// The cases that time out wait all at once.
vi.setConfig({ maxConcurrency: 20 })

/** Every known or possible way in which a node fails, and what the service makes of it. */
const faultCases = [...responses, ...rpcErrors, ...bodies, ...results, ...network, ...unreadableFeeds, ...rounds]

const parameters = new Map<string, string>()
let chain: Chain
let store: ParameterStore
let trap: FaultyNode
let healthy: FaultyNode
let otherOutput: readonly unknown[]
let correct: CorrectBodies

const getPrice = (container: Container) => container.getPrice('mainnet', symbol)
const listPrices = (container: Container) => container.listPrices('mainnet')

beforeAll(async () => {
  const startedAt = Math.floor(Date.now() / 1_000)
  chain = await startChain({ ...toChainKind('mainnet'), feeds: toStandInFeeds('mainnet', registry.mainnet, startedAt) })
  store = await startStubbedStore(parameters)
  otherOutput = captureConsole()
  trap = await startFaultyNode(response => response.end(`trap ${canary}`))
  healthy = await startProxyNode(chain.rpcUrl)
  const container = await startOn(healthy)
  const [price, list] = [await getPrice(container), await listPrices(container)]
  correct = { price: withoutTimes(price.response.body), list: withoutTimes(list.response.body) }
})

afterAll(async () => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  await healthy.stop()
  await trap.stop()
  await store.stop()
  await chain.stop()
})

/** Starts a node that answers like a case. Its URL has a key. */
async function startCase({ answer, unreachable }: Pick<FaultCase, 'answer' | 'unreachable'>): Promise<FaultyNode> {
  const node = await startFaultyNode((response, request) => {
    response.setHeader('X-Node', canary)
    return answer(response, request, { trapUrl: trap.url, forward: () => forward(chain.rpcUrl, request) })
  })
  if (unreachable === 'no listener') await node.stop()
  // A name with a label that is too long for DNS.
  const host = unreachable === 'unknown host' ? `${'x'.repeat(64)}.invalid` : '127.0.0.1'
  const scheme = unreachable === 'unknown host' || unreachable === 'no TLS' ? 'https' : 'http'
  return { ...node, url: new URL(`${scheme}://${host}:${node.url.port}/${canary}-KEY/v2?key=${canary}`) }
}

let lastTurn: Promise<unknown> = Promise.resolve()

/** Does one thing at a time, what takes the processor: otherwise healthy nodes of other cases would be slow. */
function inTurn<result>(work: () => Promise<result>): Promise<result> {
  const done = lastTurn.then(work)
  lastTurn = done.catch(() => {})
  return done
}

/** Starts a container on these endpoints. Takes a turn, because containers share the parameter. */
function startOn(...nodes: readonly FaultyNode[]): Promise<Container> {
  parameters.set('mainnet', nodes.map(({ url }) => url).join(' '))
  return startContainer()
}

/** Reads the feed with one call, and returns what is thrown. */
function catchFault({ url }: FaultyNode): Promise<unknown> {
  const request = { network: 'mainnet', feeds: feedsOf('mainnet').slice(0, 1) } as const
  const limits = { signal: AbortSignal.timeout(attemptMs), countRequest: () => {} }
  return readCall(url, request, undefined, limits).then(
    () => undefined,
    (error: unknown) => error,
  )
}

test('the correct bodies are those of the chain', () => {
  expect(correct.price).toContain('"symbol":"AAPL"')
  expect(correct.price).toContain('"status":"OK","servesLatestRoundData":true,"price":271.84930217,')
  expect(correct.price).toContain('"multiplier":1.000566080061092436,')
  expect(correct.price).toContain('"answerRaw":"27184930217"')
  expect(JSON.parse(correct.list).feeds.map((feed: { symbol: string }) => feed.symbol)).toEqual(
    registry.mainnet.map(feed => feed.symbol),
  )
})

/** Reads price and list in new containers: behind a healthy node, at the faulty node alone, and before a healthy one. */
async function play(faultCase: FaultCase): Promise<void> {
  const { expected, inList = expected, slow = false, unreachable } = faultCase
  await using faulty = await startCase(faultCase)
  await using unused = await startCase(faultCase)
  const [outcomesBehind, alone, before] = await inTurn(async () => {
    const behind = await startOn(healthy, unused)
    // First and alone: a node that sends without end keeps this process busy, and the healthy one would be slow.
    const outcomesBehind = [await getPrice(behind), await listPrices(behind)] as const
    return [outcomesBehind, await startOn(faulty), await startOn(faulty, healthy)] as const
  })
  // At the same time, so that no read prefers the endpoint that answered another.
  const outcomes = await Promise.all([getPrice(alone), listPrices(alone), getPrice(before), listPrices(before)])
  const caught = await catchFault(faulty)
  const ports = [faulty, unused, healthy, trap].map(({ url }) => url.port)
  const error = caught instanceof Error ? [caught.stack, caught.cause] : []
  expectNoLeak([outcomes, outcomesBehind, caught, error], ports)

  expectPrice(outcomes[0], expected, correct)
  expectList(outcomes[1], inList, correct)
  // With a healthy endpoint, a price is always a record. A list takes the first valid answer (D24).
  expectPrice(outcomes[2], isRecord(expected) ? expected : { record: {} }, correct)
  expectList(outcomes[3], typeof inList === 'string' ? { record: {} } : inList, correct)
  expectSuccess(outcomesBehind[0], correct.price)
  expectSuccess(outcomesBehind[1], correct.list)
  expect([unused.countOpened(), trap.countOpened()]).toEqual([0, 0])
  if (unreachable === undefined) expect(faulty.countOpened()).toBeGreaterThan(0)
  expect(caught).toEqual(
    typeof expected === 'string' ? expect.objectContaining({ name: 'Fault', kind: expected }) : undefined,
  )
  // On a busy machine any endpoint may take longer than the hedging delay. Then either may answer first.
  if (!slow && outcomes[2].tookMs > hedgeDelayMs) return
  const faults = slow ? { slow: 1 } : typeof expected === 'string' ? { [expected]: 1 } : undefined
  const trace = isRecord(expected) && !slow ? { endpoint: 'rpc-1', attempts: 1 } : { endpoint: 'rpc-2', attempts: 2 }
  expect(outcomes[2].logged[0]).toEqual(expect.objectContaining({ ...trace, ...(faults && { faults }) }))
}

const isRecord = (expected: Expected) => typeof expected === 'object' && 'record' in expected

const titled = faultCases.map(faultCase => [`${faultCase.kind}: ${faultCase.name}`, faultCase] as const)
test.each(titled.filter(([, { expected }]) => expected !== 'timeout'))('%s', (_, faultCase) => play(faultCase))
test.concurrent.each(titled.filter(([, { expected }]) => expected === 'timeout'))('%s', (_, faultCase) =>
  play(faultCase),
)

/** The first case of each kind, paired with that of the next kind. */
const firsts = [...new Map(faultCases.toReversed().map(faultCase => [faultCase.kind, faultCase])).values()].filter(
  ({ expected }) => typeof expected === 'string',
)
const pairs = firsts.map((first, index) => [first, firsts[(index + 1) % firsts.length] ?? first] as const)

test.concurrent.each(
  pairs.map(pair => [pair.map(({ kind, name }) => `${kind}: ${name}`).join(', and '), pair] as const),
)('one healthy endpoint is enough behind two others with %s (D24)', async (_, [first, second]) => {
  await using one = await startCase(first)
  await using two = await startCase(second)
  const container = await inTurn(() => startOn(one, two, healthy))
  const outcomes = await Promise.all([getPrice(container), listPrices(container)])
  expectSuccess(outcomes[0], correct.price)
  expectSuccess(outcomes[1], correct.list)
  for (const { logged } of outcomes) expect(logged[0]).toMatchObject({ endpoint: 'rpc-3', attempts: 3 })
  expectNoLeak(
    outcomes,
    [one, two, healthy].map(({ url }) => url.port),
  )
})

test.concurrent('three silent endpoints are 503 at the deadline (D24)', async () => {
  await using one = await startCase({ answer: silence })
  await using two = await startCase({ answer: silence })
  await using three = await startCase({ answer: silence })
  const container = await inTurn(() => startOn(one, two, three))
  const { response, logged, tookMs } = await getPrice(container)
  expect(response.statusCode).toBe(503)
  expect(tookMs).toBeLessThan(readMs + responseMs)
  const { line, faults } = parseLogged(logged)
  expect(faults.length).toBeGreaterThanOrEqual(3)
  expect(line).toMatchObject({ outcome: 'chain-unavailable', faults: { timeout: faults.length } })
})

test('nothing is written to the console outside of a request (D25)', () => {
  expect(otherOutput).toEqual([])
})

test('a leak is found at any depth', () => {
  const url = `${healthy.url}`
  const leaks = [url, { headers: { a: canary } }, new Error('no', { cause: new Error(url) }), [{ at: [[canary]] }]]
  for (const leak of leaks) expect(() => expectNoLeak(leak, [])).toThrow()
  expect(() => expectNoLeak(`at host:${healthy.url.port}/`, [healthy.url.port])).toThrow()
})

test('every case has its own name, and there are more than 220', () => {
  expect(new Set(titled.map(([title]) => title)).size).toBe(titled.length)
  expect(titled.length).toBeGreaterThan(220)
})

test('docs/faults.md has a row for every kind of fault, and for no other', () => {
  const rows = readFileSync('docs/faults.md', 'utf8').match(/(?<=^\| `)[\w-]+(?=` \|)/gm)
  expect(rows?.toSorted()).toEqual(faultKinds.toSorted())
})
