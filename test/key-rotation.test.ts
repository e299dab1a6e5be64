import type { APIGatewayProxyResult } from 'aws-lambda'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Feed, feedsOf } from '../lambda/feeds/registry.ts'
import { type Network, networks, ofEachNetwork } from '../lambda/networks.ts'
import type { ParameterStore } from '../local/functions/parameter-store.ts'
import { detailOf, type KeyedNode, latestBlock, startKeyedNode } from './support/chain/keyed-node.ts'
import { baseUrl, captureConsole, type Outcome, startContainer, startStubbedStore } from './support/container.ts'
import { writeList, writeRecord } from './support/fuzz/bodies.ts'

/** A part of every key, which no response and no log line may contain. */
const canary = 'CANARY'
const clients = 40

const parameters = new Map<string, string>()
let store: ParameterStore
let nodes: Record<Network, KeyedNode>

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const started = networks.map(async network => [network, await startKeyedNode(network)] as const)
  const byNetwork = new Map(await Promise.all(started))
  nodes = ofEachNetwork(network => byNetwork.get(network) as KeyedNode)
  store = await startStubbedStore(parameters)
  captureConsole()
})

afterEach(async () => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  await store.stop()
  for (const network of networks) await nodes[network].stop()
})

const advanceSeconds = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1_000)
const toKey = (network: Network, step: number) => `${canary}-${network}-${step}`

/** Makes the nodes refuse every key but the new one. */
function refuseOldKeys(step: number): void {
  for (const network of networks) nodes[network].accept(toKey(network, step))
}

/** Puts the new keys into Parameter Store, with two endpoints per network. */
function putKeys(step: number): void {
  for (const network of networks) {
    const rpcUrl = nodes[network].toRpcUrl(toKey(network, step))
    parameters.set(network, `${rpcUrl} ${rpcUrl}`)
  }
}

function rotateKeys(step: number): void {
  refuseOldKeys(step)
  putKeys(step)
}

/**
 * Starts a container.
 *
 * @returns a function that requests prices and lists of both networks in turn, expects each to be correct or 503, and returns the status
 */
async function startClient(): Promise<() => Promise<number>> {
  const { getPrice, listPrices } = await startContainer()
  let count = 0
  return async () => {
    count += 1
    const network = count % 3 === 0 ? 'testnet' : 'mainnet'
    const feed = count % 10 === 0 ? undefined : feedsOf(network)[count % feedsOf(network).length]
    const outcome = await (feed === undefined ? listPrices(network) : getPrice(network, feed.symbol))
    expectCorrectOr503(outcome, network, feed)
    return outcome.response.statusCode
  }
}

function expectCorrectOr503({ response, logged }: Outcome, network: Network, feed: Feed | undefined): void {
  const { statusCode, body }: APIGatewayProxyResult = response
  const { readAt, type } = JSON.parse(body)
  if (statusCode === 200) expect(body).toBe(writeCorrect(network, feed, new Date(readAt)))
  else expect([statusCode, type]).toEqual([503, 'urn:problem-type:price-lookup:chain-unavailable'])
  const output = JSON.stringify([response, logged])
  for (const secret of [canary, '127.0.0.1']) expect(output).not.toContain(secret)
}

/** Writes the body for one feed or for all, at a keyed node. */
function writeCorrect(network: Network, feed: Feed | undefined, readAt: Date): string {
  const feeds = feedsOf(network)
  const write = (one: Feed): string => {
    const detail = detailOf(network, one)
    return writeRecord(one, detail, { answer: detail.answer }, { network, block: latestBlock, readAt })
  }
  if (feed !== undefined) return write(feed)
  return writeList({ block: latestBlock, entries: feeds.map(write) }, { network, feeds, readAt, baseUrl })
}

/**
 * Sends requests from many clients without a pause, and takes the steps in between.
 *
 * Between two steps, one request more ends than there are clients. So the keys that one step makes a request load are loaded
 * before the next step.
 */
async function runLoad(request: () => Promise<number>, steps: number, takeStep: (step: number) => void) {
  const statuses: number[] = []
  let step = 0
  let ended = 0
  const runClient = async (): Promise<void> => {
    while (step <= steps) {
      statuses.push(await request())
      ended += 1
      if (ended <= clients) continue
      ended = 0
      step += 1
      if (step <= steps) takeStep(step)
    }
  }
  await Promise.all(Array.from({ length: clients }, runClient))
  return statuses
}

/** Sends one request, and then one for each client at once. */
async function expectAllServed(request: () => Promise<number>): Promise<void> {
  const first = await request()
  const others = await Promise.all(Array.from({ length: clients }, request))
  expect(new Set([first, ...others])).toEqual(new Set([200]))
}

// Parameter Store is asked when a key is refused and ten seconds have passed since the last load.
test.each([
  { everySeconds: 10, loads: 12, lateLoads: 0 },
  { everySeconds: 9, loads: 6, lateLoads: 1 },
  { everySeconds: 3, loads: 3, lateLoads: 1 },
])(
  'under load, with a rotation every $everySeconds s, each response is correct or 503, after $loads loads (D22)',
  async ({ everySeconds, loads, lateLoads }) => {
    rotateKeys(0)
    const request = await startClient()
    const statuses = await runLoad(request, 11, step => {
      advanceSeconds(everySeconds)
      rotateKeys(step)
    })
    expect(store.requests).toEqual(Array.from({ length: loads }, () => 'AmazonSSM.GetParameters'))
    expect(statuses.filter(status => status === 200).length).toBeGreaterThan(clients)
    // Ten seconds after the last rotation, the first request loads the keys if none has.
    advanceSeconds(10)
    await expectAllServed(request)
    expect(store.requests).toHaveLength(loads + lateLoads)
  },
)

test('while a key is refused and there is no new one, Parameter Store is asked every ten seconds (D22)', async () => {
  rotateKeys(0)
  const request = await startClient()
  await runLoad(request, 20, step => {
    advanceSeconds(1)
    if (step === 5) refuseOldKeys(1)
    if (step === 17) putKeys(1)
  })
  // At the start, after ten seconds without a new key, and after twenty.
  expect(store.requests).toHaveLength(3)
  await expectAllServed(request)
  expect(store.requests).toHaveLength(3)
})

test('requests that are refused at the same time share one load, and all are served (D22)', async () => {
  rotateKeys(0)
  const request = await startClient()
  await request()
  advanceSeconds(60)
  rotateKeys(1)
  expect(new Set(await Promise.all(Array.from({ length: clients }, request)))).toEqual(new Set([200]))
  expect(store.requests).toHaveLength(2)
})
