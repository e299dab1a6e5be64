import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { feedsOf } from '../../../lambda/feeds/registry.ts'
import { correct, everyFeed, latestBlock, toCorrectResult } from '../../support/chain/correct-node.ts'
import { revertingRow, rowWithoutCode } from '../../support/chain/encoding.ts'
import { type Respond, startFaultyNode, toReply } from '../../support/chain/faulty-node.ts'
import { captureConsole, startContainer, startStubbedStore } from '../../support/container.ts'

const parameters = new Map<string, string>()
const store = await startStubbedStore(parameters)
captureConsole()

afterEach(() => void vi.useRealTimers())
afterAll(async () => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  await store.stop()
})

/** Requests a symbol from a new container on a node. Returns the response, and the line of the log. */
async function getPrice(symbol: string, respond: Respond) {
  await using node = await startFaultyNode(respond)
  parameters.set('mainnet', node.url.href)
  const container = await startContainer()
  const { response, logged } = await container.getPrice('mainnet', symbol)
  return { status: response.statusCode, body: JSON.parse(response.body), line: logged[0] }
}

test('a symbol in lower case is logged in the registry’s spelling (D7, D25)', async () => {
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
  const { status, body, line } = await getPrice('CRWD', everyFeed(rowWithoutCode))
  const detail = 'The chain answered, but this feed cannot be read: no contract is at its address.'
  expect([status, body.detail]).toEqual([502, detail])
  expect(line).toMatchObject({ outcome: 'feed-unreadable', symbol: 'CRWD', unreadable: ['CRWD'] })
})

test.each(['getPrice', 'listPrices'] as const)('a response of %s expires 10 s after its reading (D21)', async route => {
  const readAt = new Date('2026-10-03T22:30:00.789Z')
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'], now: readAt })
  vi.stubEnv('AGREEMENT', '2')
  await using first = await startFaultyNode(correct)
  await using reverting = await startFaultyNode(everyFeed(revertingRow))
  // Asked when the first two have not agreed. Its reading agrees with that of the first, seven seconds after it.
  await using last = await startFaultyNode((response, request) => {
    vi.setSystemTime(readAt.getTime() + 7_000)
    response.end(toReply(request, toCorrectResult('mainnet', request, latestBlock + 1)))
  })
  parameters.set('mainnet', [first, reverting, last].map(({ url }) => url).join(' '))
  const container = await startContainer()
  const { response } = await container[route]('mainnet', 'CRWD')
  expect(response).toMatchObject({ statusCode: 200, headers: { Expires: 'Sat, 03 Oct 2026 22:30:10 GMT' } })
  expect(JSON.parse(response.body)).toMatchObject({ block: latestBlock, readAt: readAt.toISOString() })
})
