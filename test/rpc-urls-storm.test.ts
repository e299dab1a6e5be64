import type { APIGatewayProxyResult } from 'aws-lambda'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Network, networks } from '../lambda/feeds/registry.ts'
import { type ParameterStore, startParameterStore } from '../local/parameter-store.ts'
import { type KeyedNode, startKeyedNode } from './chain/keyed-node.ts'
import { stubParameterStore } from './ssm-environment.ts'
import { startContainer, storm } from './storm.ts'

/** A word of every key, which only Parameter Store and the nodes may ever say. */
const canary = 'CANARY'
const callers = 40

const parameters = new Map<string, string>()
const logged: unknown[] = []
let store: ParameterStore
let nodes: Record<Network, KeyedNode>

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  store = await startParameterStore(parameters)
  nodes = { mainnet: await startKeyedNode('mainnet'), testnet: await startKeyedNode('testnet') }
  stubParameterStore(store.url)
  for (const network of networks) vi.stubEnv(`RPC_URLS_PARAMETER_${network.toUpperCase()}`, network)
  vi.stubEnv('MAX_HEAD_AGE_SECONDS_MAINNET', '60')
  logged.length = 0
  for (const level of ['log', 'info', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((...words: unknown[]) => void logged.push(words))
  }
})

afterEach(async () => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  await store.stop()
  for (const network of networks) await nodes[network][Symbol.asyncDispose]()
})

const seconds = (count: number) => vi.setSystemTime(Date.now() + count * 1_000)
const toKey = (network: Network, turn: number) => `${canary}-${network}-${turn}`

/** From now on the nodes refuse every key but a new one. */
function refuseOldKeys(turn: number): void {
  for (const network of networks) nodes[network].accept(toKey(network, turn))
}

/** Puts the new keys into Parameter Store. */
function putKeys(turn: number): void {
  for (const network of networks) {
    const rpcUrl = nodes[network].toRpcUrl(toKey(network, turn))
    // Two endpoints: that every one refuses us takes both.
    parameters.set(network, `${rpcUrl} ${rpcUrl}`)
  }
}

function rotate(turn: number): void {
  refuseOldKeys(turn)
  putKeys(turn)
}

/** Starts a container, and keeps what it answers. */
async function startWatched() {
  const answers: APIGatewayProxyResult[] = []
  const request = await startContainer()
  const ask = async (): Promise<APIGatewayProxyResult> => {
    const answer = await request()
    answers.push(answer)
    return answer
  }
  return { answers, ask }
}

/** Asks once, and then many times at once. */
async function askMany(ask: () => Promise<APIGatewayProxyResult>): Promise<Set<number>> {
  const first = await ask()
  const others = await Promise.all(Array.from({ length: 200 }, ask))
  return new Set([first, ...others].map(({ statusCode }) => statusCode))
}

function expectNoLeak(answers: readonly APIGatewayProxyResult[]): void {
  const said = JSON.stringify([answers, logged])
  for (const secret of [canary, '127.0.0.1']) expect(said).not.toContain(secret)
}

// Parameter Store is asked when a key is refused and ten seconds have passed since it was asked last, and not before.
test.each([
  { everySeconds: 10, loads: 12, lateLoads: 0 },
  { everySeconds: 9, loads: 6, lateLoads: 1 },
  { everySeconds: 3, loads: 3, lateLoads: 1 },
])(
  'under load, eleven rotations $everySeconds s apart are the truth or 503, and $loads loads (D22)',
  async rotation => {
    rotate(0)
    const { answers, ask } = await startWatched()
    const counts = await storm(ask, { callers, turns: 11 }, turn => {
      seconds(rotation.everySeconds)
      rotate(turn)
    })
    expect(store.requests).toEqual(Array.from({ length: rotation.loads }, () => 'AmazonSSM.GetParameters'))
    expect(counts.ok).toBeGreaterThan(callers)
    // Ten seconds behind the last rotation, the first request loads its keys if none has, and all are served.
    seconds(10)
    expect(await askMany(ask)).toEqual(new Set([200]))
    expect(store.requests).toHaveLength(rotation.loads + rotation.lateLoads)
    expectNoLeak(answers)
  },
)

test('a key that is refused before there is a new one is asked for every ten seconds, and served once it is there (D22)', async () => {
  rotate(0)
  const { answers, ask } = await startWatched()
  await storm(ask, { callers, turns: 20 }, turn => {
    seconds(1)
    if (turn === 5) refuseOldKeys(1)
    if (turn === 17) putKeys(1)
  })
  // At its start, after ten seconds, when there was nothing new, and after twenty.
  expect(store.requests).toHaveLength(3)
  expect(await askMany(ask)).toEqual(new Set([200]))
  expect(store.requests).toHaveLength(3)
  expectNoLeak(answers)
})

test('requests that are refused all at once share one load of the new key, and all are served (D22)', async () => {
  rotate(0)
  const { answers, ask } = await startWatched()
  await ask()
  seconds(60)
  rotate(1)
  const together = await Promise.all(Array.from({ length: 200 }, ask))
  expect(together.filter(({ statusCode }) => statusCode !== 200)).toEqual([])
  expect(store.requests).toHaveLength(2)
  expectNoLeak(answers)
})
