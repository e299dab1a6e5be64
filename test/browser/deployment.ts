import { inject } from 'vitest'
import { startGateway } from '../../local/gateway.ts'
import { startParameterStore } from '../../local/parameter-store.ts'
import { createFunctions } from '../../local/runtime.ts'
import { type FaultyNode, startProxyNode } from '../chain/faulty-node.ts'

/** The service, deployed on this machine, with RPC endpoints that a test can stop. */
export interface Deployment {
  readonly origin: string
  /** Below which the API's routes are, and the board. */
  readonly baseUrl: string
  readonly nodes: Readonly<Record<'mainnet' | 'testnet', FaultyNode>>
  readonly stop: () => Promise<void>
}

/** Deploys the service, with a cache and containers that know nothing yet. */
export async function startDeployment(): Promise<Deployment> {
  const [template, rpcUrls] = [inject('template'), inject('rpcUrls')]
  const nodes = {
    mainnet: await startProxyNode(rpcUrls.mainnet),
    testnet: await startProxyNode(rpcUrls.testnet),
  }
  const names = ['mainnet', 'testnet'] as const
  const store = await startParameterStore(
    new Map(names.map(network => [`/price-lookup/dev/rpc-urls/${network}`, nodes[network].url.href])),
  )
  const functions = createFunctions({ ...template, variables: { AWS_ENDPOINT_URL_SSM: store.url } })
  const gateway = await startGateway({ template, functions, host: '127.0.0.1', port: 0, log: () => {} })
  return {
    origin: gateway.origin,
    baseUrl: gateway.baseUrl,
    nodes,
    async stop() {
      await gateway.stop()
      await functions.stop()
      await store.stop()
      for (const network of names) await nodes[network].stop()
    },
  }
}
