import { inject } from 'vitest'
import { startGateway } from '../../local/gateway.ts'
import { startParameterStore } from '../../local/parameter-store.ts'
import { createFunctions } from '../../local/runtime.ts'
import { type FaultyNode, startProxyNode } from '../chain/faulty-node.ts'

/** The service on this machine, with RPC endpoints that a test can stop. */
export interface Deployment {
  readonly origin: string
  /** The URL of the board. The API's routes are below it. */
  readonly baseUrl: string
  readonly nodes: Readonly<Record<'mainnet' | 'testnet', FaultyNode>>
  /** Moves the clock of the gateway forward, so that its cache expires. */
  readonly advance: (ms: number) => void
  readonly stop: () => Promise<void>
}

/** Starts the service with an empty cache and cold containers. */
export async function startDeployment(rpcUrls = inject('rpcUrls')): Promise<Deployment> {
  const template = inject('template')
  const nodes = {
    mainnet: await startProxyNode(rpcUrls.mainnet),
    testnet: await startProxyNode(rpcUrls.testnet),
  }
  const names = ['mainnet', 'testnet'] as const
  const store = await startParameterStore(
    new Map(names.map(network => [`/price-lookup/dev/rpc-urls/${network}`, nodes[network].url.href])),
  )
  const functions = createFunctions({ ...template, variables: { AWS_ENDPOINT_URL_SSM: store.url } })
  let advancedMs = 0
  const nowMs = () => performance.now() + advancedMs
  const gateway = await startGateway({ template, functions, host: '127.0.0.1', port: 0, log: () => {}, nowMs })
  return {
    origin: gateway.origin,
    baseUrl: gateway.baseUrl,
    nodes,
    advance(ms) {
      advancedMs += ms
    },
    async stop() {
      await gateway.stop()
      await functions.stop()
      await store.stop()
      for (const network of names) await nodes[network].stop()
    },
  }
}
