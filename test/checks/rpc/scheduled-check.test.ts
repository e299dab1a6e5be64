import { numberToHex } from 'viem'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Network, networks } from '../../../api/networks.ts'
import { feedsOf } from '../../../lambda/feeds/registry.ts'
import { type Chain, startChain, toChainKind } from '../../../local/chains/chains.ts'
import type { StandInFeed } from '../../../local/chains/stand-in-feed.ts'
import { toStandInFeeds } from '../../../local/chains/stand-in-feeds.ts'
import { localSettings } from '../../../local/settings.ts'
import { forward, secret, startFaultyNode, status } from '../../support/chain/faulty-node.ts'
import { stopClock } from '../../support/clock.ts'
import { startStubbedStore, stubEnvironment, withoutPauses } from '../../support/container.ts'

const start = (network: Network) =>
  startChain({
    ...toChainKind(network),
    feeds: toStandInFeeds(network, feedsOf(network), Math.floor(Date.now() / 1_000)),
  })
const chains = new Map(await Promise.all(networks.map(async network => [network, await start(network)] as const)))
afterAll(() => Promise.all([...chains.values()].map(({ stop }) => stop())))
const [mainnet] = [...chains.values()] as [Chain]

const parameters = new Map<string, string>()
const store = await startStubbedStore(parameters)
afterAll(store.stop)

beforeEach(() => {
  stopClock()
  vi.spyOn(console, 'warn').mockReturnValue()
  stubEnvironment(store.variables.AWS_ENDPOINT_URL_SSM, store.variables.AWS_ACCESS_KEY_ID)
  // No endpoint times out.
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

/** Runs the function in a new container, with these RPC URLs in the parameters. */
async function runWith(rpcUrls: Partial<Record<Network, string>>) {
  for (const [network, { rpcUrl }] of chains)
    parameters.set(localSettings.rpcUrlsParameters[network], rpcUrls[network] ?? rpcUrl)
  vi.resetModules()
  const { handler } = await import('../../../checks/rpc/scheduled-check.ts')
  await handler()
}

const notUsable = 'The RPC URLs of the mainnet are not usable'
const lines = () => vi.mocked(console.warn).mock.calls.map(([line]) => line)
const supported = (name: string, network: Network) =>
  expect.stringMatching(`^${name}: supported: ${feedsOf(network).length} feeds at block \\d+, .*`)

test('RPC URLs that are usable, even one alone, leave no line', async () => {
  await runWith({})
  await runWith({ mainnet: `${mainnet.rpcUrl}/?key=${secret} ${mainnet.rpcUrl}` })
  expect(lines()).toEqual([])
})

test('a spare of the mainnet that does not work is logged without any part of its URL, and fails the run (D25)', async () => {
  await using dead = await startFaultyNode(status(401, secret))
  await expect(runWith({ mainnet: `${mainnet.rpcUrl} ${dead.url}` })).rejects.toThrow(notUsable)
  const refused = expect.stringMatching(/^rpc-2: not supported: unauthorized, httpStatus 401\. Remedy: check the key, /)
  expect(lines()).toEqual([{ check: 'rpc-urls', network: 'mainnet', detail: [supported('rpc-1', 'mainnet'), refused] }])
  expect(JSON.stringify(lines())).not.toMatch(new RegExp(`KEY|${secret}|127\\.0\\.0\\.1|\\b${dead.url.port}\\b`))
})

test('RPC URLs that disagree are logged with the feed, and fail the run', async () => {
  const [{ symbol, answer }] = mainnet.feeds as [StandInFeed]
  const toWord = (value: bigint) => numberToHex(value, { size: 32 }).slice(2)
  await using other = await startFaultyNode(async (response, body) => {
    const reply = await forward(mainnet.rpcUrl, body)
    response.end(reply.replace(toWord(answer), toWord(answer + 1n)))
  })
  await expect(runWith({ mainnet: `${mainnet.rpcUrl} ${other.url}` })).rejects.toThrow(notUsable)
  const disagree = expect.stringMatching(`^rpc-1 and rpc-2 DISAGREE on ${symbol} at block \\d+$`)
  const detail = [supported('rpc-1', 'mainnet'), supported('rpc-2', 'mainnet'), disagree]
  expect(lines()).toEqual([{ check: 'rpc-urls', network: 'mainnet', detail }])
})

test('RPC URLs of the testnet that do not work are logged, and do not fail the run', async () => {
  await runWith({ testnet: mainnet.rpcUrl })
  expect(lines()).toEqual([
    {
      check: 'rpc-urls',
      network: 'testnet',
      detail: [expect.stringMatching(/^rpc-1: not supported: wrong-chain\. Remedy: /)],
    },
  ])
})

test('a parameter that is not usable is logged as not-configured', async () => {
  await expect(runWith({ mainnet: 'ftp://node.test' })).rejects.toThrow(notUsable)
  expect(lines()).toEqual([{ check: 'rpc-urls', network: 'mainnet', detail: ['not-configured'] }])
})

test('a Parameter Store that does not respond is logged for each network', async () => {
  await using broken = await startFaultyNode(response => response.destroy())
  vi.stubEnv('AWS_ENDPOINT_URL_SSM', broken.url.origin)
  expect(await withoutPauses(runWith({}).catch(String))).toContain(notUsable)
  expect(lines()).toEqual(networks.map(network => ({ check: 'rpc-urls', network, detail: ['parameter-store'] })))
})

test('stale RPC URLs, of a parameter that is no longer usable, are not usable', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] })
  await runWith({})
  const { handler } = await import('../../../checks/rpc/scheduled-check.ts')
  vi.setSystemTime(Date.now() + 3_600_000)
  for (const name of Object.values(localSettings.rpcUrlsParameters)) parameters.set(name, '')
  await expect(handler()).rejects.toThrow(notUsable)
  expect(lines()).toEqual(networks.map(network => ({ check: 'rpc-urls', network, detail: ['parameter-store'] })))
})
