import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { feedsOf } from '../../../lambda/feeds/registry.ts'
import { rpcUrlsTtlMs } from '../../../lambda/timing.ts'
import type { ParameterStore } from '../../../local/parameter-store.ts'
import { correct, everyFeed, latestBlock } from '../../support/chain/correct-node.ts'
import { rowWithoutCode } from '../../support/chain/encoding.ts'
import { type Respond, startFaultyNode, status } from '../../support/chain/faulty-node.ts'
import { stopClock, until } from '../../support/clock.ts'
import { captureConsole, startContainer, startStoreProxy, startStubbedStore } from '../../support/container.ts'

const parameters = new Map<string, string>()
let store: ParameterStore
captureConsole()

beforeEach(async () => {
  store = await startStubbedStore(parameters)
  stopClock()
})
afterEach(async () => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  await store.stop()
})
afterAll(() => void vi.restoreAllMocks())

/** Requests a symbol from a new container on a node. Returns the response, and the line of the log. */
async function getPrice(symbol: string, respond: Respond) {
  await using node = await startFaultyNode(respond)
  parameters.set('mainnet', node.url.href)
  const container = await startContainer()
  const { response, logged } = await container.getPrice('mainnet', symbol)
  return { statusCode: response.statusCode, body: JSON.parse(response.body), line: logged[0] }
}

test('a symbol in lower case is logged in the registry’s spelling (D7)', async () => {
  const { body, line } = await getPrice('crwd', correct)
  const feed = feedsOf('mainnet').find(({ symbol }) => symbol === 'CRWD')
  expect(body).toMatchObject({ symbol: 'CRWD', feed: feed?.address, status: 'OK', block: latestBlock })
  expect(line).toMatchObject({
    route: 'GET /price/{symbol}',
    outcome: 'ok',
    symbol: 'CRWD',
    attempts: 1,
    unreadable: [],
  })
})

test('a feed that cannot be read is a problem with the reason (D18, D19)', async () => {
  const { statusCode, body, line } = await getPrice('CRWD', everyFeed(rowWithoutCode))
  const detail = 'The chain answered, but this feed cannot be read: no contract is at its address.'
  expect([statusCode, body.detail]).toEqual([502, detail])
  expect(line).toMatchObject({ outcome: 'feed-unreadable', symbol: 'CRWD', unreadable: ['CRWD'] })
})

test('a chain that cannot be read is a problem of a price too, and states nothing of its feed (D2)', async () => {
  const { statusCode, body, line } = await getPrice('CRWD', status(401))
  expect([statusCode, body.title]).toEqual([503, 'Chain unavailable'])
  expect(line).toMatchObject({ outcome: 'chain-unavailable', symbol: 'CRWD', faults: { unauthorized: 2 } })
})

test.each(['getPrice', 'listPrices'] as const)('a response of %s expires 10 s after its reading (D21)', async route => {
  const readAt = new Date('2026-10-03T22:30:00.789Z')
  const loadedAt = readAt.getTime() - rpcUrlsTtlMs
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'], now: loadedAt })
  const asked = Promise.withResolvers<void>()
  await using node = await startFaultyNode(async (...request) => {
    await asked.promise
    correct(...request)
  })
  // The reload ends seven seconds after the read.
  await using _slowStore = await startStoreProxy(store, async () => {
    if (Date.now() === loadedAt) return
    await until(() => node.requests.length === 1)
    const timers = vi.getTimerCount()
    asked.resolve()
    // A reading clears the time limits of its attempt.
    await until(() => vi.getTimerCount() < timers)
    vi.setSystemTime(readAt.getTime() + 7_000)
  })
  parameters.set('mainnet', node.url.href)
  const container = await startContainer()
  vi.setSystemTime(readAt)
  const { response } = await container[route]('mainnet', 'CRWD')
  expect(response).toMatchObject({ statusCode: 200, headers: { Expires: 'Sat, 03 Oct 2026 22:30:10 GMT' } })
  expect(JSON.parse(response.body)).toMatchObject({ readAt: readAt.toISOString() })
  expect(Date.now()).toBe(readAt.getTime() + 7_000)
})
