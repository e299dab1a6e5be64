import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { faultKinds } from '../../lambda/faults.ts'
import registry from '../../lambda/feeds/registry.json' with { type: 'json' }
import { readMs, responseMs } from '../../lambda/timing.ts'
import { type Chain, chainKinds, startChain } from '../../local/chains.ts'
import type { ParameterStore } from '../../local/parameter-store.ts'
import { toStandInFeeds } from '../../local/stand-in-feeds.ts'
import { canary, page, silence } from './answers.ts'
import { faultCases } from './cases.ts'
import { startContainer, startParameters, watchConsole } from './container.ts'
import { expectList, expectPrice, expectSuccess, type Truth, toSteady } from './expectations.ts'
import type { Expected, FaultCase } from './fault-case.ts'
import { type FaultServer, type Surroundings, startFaultServer, startHealthyServer } from './fault-server.ts'
import { expectNoLeak } from './leak.ts'

const startOn = (...servers: FaultServer[]) => startContainer(servers.map(({ rpcUrl }) => rpcUrl).join(' '))

let chain: Chain
let store: ParameterStore
let trap: FaultServer
let healthy: FaultServer
let surroundings: Surroundings
let saidToNobody: readonly unknown[]
let truth: Truth

beforeAll(async () => {
  const startedAt = Math.floor(Date.now() / 1_000)
  chain = await startChain({ ...chainKinds.mainnet, feeds: toStandInFeeds('mainnet', registry.mainnet, startedAt) })
  store = await startParameters()
  saidToNobody = watchConsole()
  const nodeUrl = chain.rpcUrl
  trap = await startFaultServer({ answer: page(200, `trapped ${canary}`) }, { nodeUrl, trapUrl: new URL(nodeUrl) })
  surroundings = { nodeUrl, trapUrl: new URL(trap.rpcUrl) }
  healthy = await startHealthyServer(surroundings)
  const container = await startOn(healthy)
  const [price, list] = [await container.getPrice(), await container.listPrices()]
  truth = { price: toSteady(price.response.body), list: toSteady(list.response.body) }
})

afterAll(async () => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  await healthy[Symbol.asyncDispose]()
  await trap[Symbol.asyncDispose]()
  await store.stop()
  await chain.stop()
})

test('the truth that every case is compared with is the chain’s', () => {
  expect(truth.price).toContain('"symbol":"AAPL"')
  expect(truth.price).toContain('"status":"OK","servesLatestRoundData":true,"price":271.84930217,')
  expect(truth.price).toContain('"multiplier":1.000566080061092436,')
  expect(truth.price).toContain('"answerRaw":"27184930217"')
  expect(JSON.parse(truth.list).feeds.map((feed: { symbol: string }) => feed.symbol)).toEqual(
    registry.mainnet.map(feed => feed.symbol),
  )
})

/** Plays a case in all its ways, each before a service that has just started. */
async function play(faultCase: FaultCase): Promise<void> {
  const { expected, inList = expected, slow = false } = faultCase
  await using sick = await startFaultServer(faultCase, surroundings)
  await using neverAsked = await startFaultServer(faultCase, surroundings)
  const alone = await startOn(sick)
  const listAlone = await startOn(sick)
  const before = await startOn(sick, healthy)
  const listBefore = await startOn(sick, healthy)
  const after = await startOn(healthy, neverAsked)
  // By itself: a node that sends without end keeps this process busy, and the healthy one would seem slow.
  const outcomesAfter = [await after.getPrice(), await after.listPrices()] as const
  const said = {
    alone: alone.getPrice(),
    listAlone: listAlone.listPrices(),
    before: before.getPrice(),
    listBefore: listBefore.listPrices(),
  }
  const caught = await (await startOn(sick)).catchFault(sick.rpcUrl)
  const outcomes = await Promise.all([said.alone, said.listAlone, said.before, said.listBefore])
  const ports = [sick, neverAsked, healthy, trap].map(({ port }) => port)
  expectNoLeak([outcomes, outcomesAfter, caught, caught instanceof Error ? [caught.stack, caught.cause] : []], ports)

  expectPrice(outcomes[0], expected, truth)
  expectList(outcomes[1], inList, truth)
  // Of a price a healthy endpoint always makes a record; in a list the first valid answer is taken as it is (D24).
  expectPrice(outcomes[2], isRecord(expected) ? expected : { record: {} }, truth)
  expectList(outcomes[3], typeof inList === 'string' ? { record: {} } : inList, truth)
  expectSuccess(outcomesAfter[0], truth.price)
  expectSuccess(outcomesAfter[1], truth.list)
  expect([neverAsked.connections(), trap.connections()]).toEqual([0, 0])
  if (faultCase.unasked === undefined) expect(sick.connections()).toBeGreaterThan(0)
  expect(caught).toEqual(
    typeof expected === 'string' ? expect.objectContaining({ name: 'Fault', kind: expected }) : undefined,
  )
  // One that is slow is hedged and loses before it has failed.
  const faults = slow ? { faults: { slow: 1 } } : typeof expected === 'string' ? { faults: { [expected]: 1 } } : {}
  const endpoint = isRecord(expected) && !slow ? { endpoint: 'rpc-1', attempts: 1 } : { endpoint: 'rpc-2', attempts: 2 }
  expect(outcomes[2].logged).toEqual([expect.objectContaining({ ...endpoint, ...faults })])
}

const isRecord = (expected: Expected) => typeof expected === 'object' && 'record' in expected

const titled = faultCases.map(faultCase => [`${faultCase.kind}: ${faultCase.name}`, faultCase] as const)
test.each(titled.filter(([, { slow }]) => !slow))('%s', (_, faultCase) => play(faultCase))
test.concurrent.each(titled.filter(([, { slow }]) => slow))('%s', (_, faultCase) => play(faultCase))

/** Of each kind the first case, which stands beside that of the next kind. */
const firsts = [...new Map(faultCases.toReversed().map(faultCase => [faultCase.kind, faultCase])).values()].filter(
  ({ expected }) => typeof expected === 'string',
)
const pairs = firsts.map((first, at) => [first, firsts[(at + 1) % firsts.length] ?? first] as const)

test.concurrent.each(
  pairs.map(pair => [pair.map(({ kind, name }) => `${kind}: ${name}`).join(', and '), pair] as const),
)('one endpoint that is well is enough, behind two that say: %s (D24)', async (_, [first, second]) => {
  await using one = await startFaultServer(first, surroundings)
  await using two = await startFaultServer(second, surroundings)
  const container = await startOn(one, two, healthy)
  const outcomes = [await container.getPrice(), await (await startOn(one, two, healthy)).listPrices()] as const
  expectSuccess(outcomes[0], truth.price)
  expectSuccess(outcomes[1], truth.list)
  for (const { logged } of outcomes) expect(logged).toMatchObject([{ endpoint: 'rpc-3', attempts: 3 }])
  expectNoLeak(outcomes, [one.port, two.port, healthy.port])
})

test.concurrent('three endpoints that do not answer are 503 at the deadline (D24)', async () => {
  const silent = { answer: silence }
  await using one = await startFaultServer(silent, surroundings)
  await using two = await startFaultServer(silent, surroundings)
  await using three = await startFaultServer(silent, surroundings)
  const { response, logged, tookMs } = await (await startOn(one, two, three)).getPrice()
  expect(response.statusCode).toBe(503)
  expect(tookMs).toBeLessThan(readMs + responseMs)
  const [{ faults }] = logged as [{ faults: { timeout: number } }]
  expect(faults.timeout).toBeGreaterThanOrEqual(3)
  expect(logged).toMatchObject([{ outcome: 'chain-unavailable', faults: { timeout: faults.timeout } }])
})

test('nothing was written to the console that belongs to no request (D25)', () => {
  expect(saidToNobody).toEqual([])
})

test('a leak would be seen, wherever it was', () => {
  const url = healthy.rpcUrl
  const leaks = [url, { headers: { a: canary } }, new Error('no', { cause: new Error(url) }), [{ at: [[canary]] }]]
  for (const leak of leaks) expect(() => expectNoLeak(leak, [])).toThrow()
  expect(() => expectNoLeak(`at host:${healthy.port}/`, [healthy.port])).toThrow()
})

test('no two cases have one name, and there are 70 or more', () => {
  expect(new Set(titled.map(([title]) => title)).size).toBe(titled.length)
  expect(titled.length).toBeGreaterThanOrEqual(70)
})

test('docs/faults.md has a row for every kind of fault, and for no other', () => {
  const rows = readFileSync('docs/faults.md', 'utf8').match(/(?<=^\| `)[\w-]+(?=` \|)/gm)
  expect(rows?.toSorted()).toEqual(faultKinds.toSorted())
})
