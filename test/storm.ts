import { readFileSync } from 'node:fs'
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda'
import { expect, vi } from 'vitest'
import { type Feed, feedsOf, type Network } from '../lambda/feeds/registry.ts'
import { keyedBlock, toldOf } from './chain/keyed-node.ts'
import { writeList } from './fuzz/expectation.ts'
import { type Place, writeRecord } from './fuzz/reference.ts'

/** What a storm of requests came to: every answer is either of these. */
export interface Counts {
  ok: number
  unavailable: number
}

const listEvent: APIGatewayProxyEvent = JSON.parse(readFileSync('local/events/list-prices.json', 'utf8'))
const baseUrl = 'https://prices.example/v1'
const requestContext = { ...listEvent.requestContext, domainName: 'prices.example', path: '/v1/price' }
const context = () => ({ getRemainingTimeInMillis: () => 10_000 }) as Context

/**
 * Starts a container, which has asked nobody yet.
 *
 * @returns a request to it: for prices and lists, of both networks, in turn. Its answer is the truth, or that there is none to be had.
 */
export async function startContainer(): Promise<() => Promise<APIGatewayProxyResult>> {
  vi.resetModules()
  const { handler: getPrice } = await import('../lambda/handlers/get-price.ts')
  const { handler: listPrices } = await import('../lambda/handlers/list-prices.ts')
  let asked = 0
  return async () => {
    asked += 1
    const network = asked % 3 === 0 ? 'testnet' : 'mainnet'
    const feed = asked % 10 === 0 ? undefined : feedsOf(network)[asked % feedsOf(network).length]
    const event = { ...listEvent, requestContext, queryStringParameters: { network } }
    const answer =
      feed === undefined
        ? await listPrices(event, context())
        : await getPrice({ ...event, pathParameters: { symbol: feed.symbol } }, context())
    expectTruth(answer, network, feed)
    return answer
  }
}

function expectTruth({ statusCode, body }: APIGatewayProxyResult, network: Network, feed: Feed | undefined): void {
  const told = JSON.parse(body)
  if (statusCode === 200) expect(body).toBe(writeTruth(network, feed, new Date(told.readAt)))
  else expect([statusCode, told.type]).toEqual([503, 'urn:problem-type:price-lookup:chain-unavailable'])
}

/** Writes what is true of one feed, or of all, at a keyed node. */
function writeTruth(network: Network, feed: Feed | undefined, readAt: Date): string {
  const place: Place = { network, block: keyedBlock, readAt }
  const write = (one: Feed): string => {
    const told = { status: 0, ...toldOf(network, one) }
    return writeRecord(one, told, { answer: told.answer }, place)
  }
  const feeds = feedsOf(network)
  if (feed !== undefined) return write(feed)
  return writeList({ block: keyedBlock, entries: feeds.map(write) }, { network, feeds, readAt, baseUrl })
}

/**
 * Asks without a pause, many callers at once, and takes turn after turn between their answers.
 *
 * Between two turns every caller may have been answered, and one has both asked and been answered: what a turn made a request load is
 * loaded before the next.
 */
export async function storm(
  ask: () => Promise<APIGatewayProxyResult>,
  { callers, turns }: { readonly callers: number; readonly turns: number },
  takeTurn: (turn: number) => void,
): Promise<Counts> {
  const counts: Counts = { ok: 0, unavailable: 0 }
  let turn = 0
  let answered = 0
  const call = async (): Promise<void> => {
    while (turn <= turns) {
      counts[(await ask()).statusCode === 200 ? 'ok' : 'unavailable'] += 1
      answered += 1
      if (answered <= callers) continue
      answered = 0
      turn += 1
      if (turn <= turns) takeTurn(turn)
    }
  }
  await Promise.all(Array.from({ length: callers }, call))
  return counts
}
