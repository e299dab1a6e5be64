import { inject } from 'vitest'
import registry from '../../../lambda/feeds/registry.json' with { type: 'json' }
import { startParameterStore } from '../../../local/functions/parameter-store.ts'
import { createFunctions } from '../../../local/functions/runtime.ts'
import { startGateway } from '../../../local/gateway/gateway.ts'
import { type FaultyNode, startProxyNode } from '../chain/faulty-node.ts'

/** The service on this machine, with RPC endpoints that a test can stop. */
export interface Deployment {
  readonly origin: string
  /** The URL of the board. The API's routes are below it. */
  readonly baseUrl: string
  readonly nodes: Readonly<Record<'mainnet' | 'testnet', FaultyNode>>
  /** Runs a task while a feed of the mainnet reverts every call. The chain is not changed, because other tests read it too. */
  readonly whileReverting: (symbol: string, work: () => Promise<void>) => Promise<void>
  /** Moves the clock of the gateway forward, so that its cache expires. */
  readonly advance: (ms: number) => void
  /** Runs a task while only `advance` moves the clock of the gateway. */
  readonly whileClockStands: (work: () => Promise<void>) => Promise<void>
  readonly stop: () => Promise<void>
}

/** Bytecode that reverts every call. */
const revertingCode = '0x60006000fd'

/** Starts the service with an empty cache and cold containers. */
export async function startDeployment(): Promise<Deployment> {
  const template = inject('template')
  const rpcUrls = inject('rpcUrls')
  let overrides = {}
  const nodes = {
    mainnet: await startProxyNode(rpcUrls.mainnet, request => {
      const call = JSON.parse(request)
      return JSON.stringify({ ...call, params: [...call.params, overrides] })
    }),
    testnet: await startProxyNode(rpcUrls.testnet),
  }
  const names = ['mainnet', 'testnet'] as const
  const store = await startParameterStore(
    new Map(names.map(network => [`/price-lookup/dev/rpc-urls/${network}`, nodes[network].url.href])),
  )
  const functions = createFunctions({ ...template, variables: store.variables })
  let advancedMs = 0
  let stoppedAtMs: number | undefined
  const nowMs = () => (stoppedAtMs ?? performance.now()) + advancedMs
  const gateway = await startGateway({ template, functions, host: '127.0.0.1', port: 0, log: () => {}, nowMs })
  return {
    origin: gateway.origin,
    baseUrl: gateway.baseUrl,
    nodes,
    async whileReverting(symbol, work) {
      const { address } = registry.mainnet.find(feed => feed.symbol === symbol) ?? { address: '' }
      overrides = { [address]: { code: revertingCode } }
      await work().finally(() => {
        overrides = {}
      })
    },
    advance(ms) {
      advancedMs += ms
    },
    async whileClockStands(work) {
      stoppedAtMs = performance.now()
      await work().finally(() => {
        stoppedAtMs = undefined
      })
    },
    async stop() {
      await gateway.stop()
      await functions.stop()
      await store.stop()
      for (const network of names) await nodes[network].stop()
    },
  }
}
