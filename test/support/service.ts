import { ofEachNetwork } from '../../api/networks.ts'
import { type Gateway, type GatewayOptions, startGateway } from '../../local/gateway/gateway.ts'
import { type Sandbox, startSandbox } from '../../local/sandbox.ts'

/** The whole service on this machine, above local chains. */
export interface Service extends AsyncDisposable {
  readonly sandbox: Sandbox
  readonly gateway: Gateway
}

/** Starts the service. The options change those of its gateway. */
export async function startService(options: Partial<GatewayOptions> = {}): Promise<Service> {
  await using started = new AsyncDisposableStack()
  const sandbox = started.use(await startSandbox(ofEachNetwork(() => 'embedded')))
  const gateway = await startGateway({ ...sandbox, host: '127.0.0.1', port: 0, ...options })
  started.defer(gateway.stop)
  const owned = started.move()
  return { sandbox, gateway, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
