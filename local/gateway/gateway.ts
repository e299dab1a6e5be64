import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Functions } from '../functions/runtime.ts'
import { type Log, reportProblems } from '../log.ts'
import type { GatewayReply } from '../template/responses.ts'
import type { Template } from '../template/template.ts'
import { send, toStageRequest } from './http-messages.ts'
import type { StageRequest } from './proxy-event.ts'
import { findRoute } from './routing.ts'
import { createStage, type Stage } from './stage.ts'

/** A running API. */
export interface Gateway {
  /** `http://127.0.0.1:3000` */
  readonly origin: string
  /** The URL of the stage, above the routes: `http://127.0.0.1:3000/v1`. */
  readonly baseUrl: string
  /** Closes the gateway and all its connections at once. */
  readonly stop: () => Promise<void>
}

/** What the gateway runs. */
export interface Deployment {
  readonly template: Template
  readonly functions: Functions
}

export interface GatewayOptions extends Deployment {
  /** The address to listen at. */
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** The local chains by network. Every response names them, because their prices are invented (D28). */
  readonly chains?: Readonly<Record<string, { readonly rpcUrl: string }>>
  /** Gets a line for each request when its response has been sent. */
  readonly logRequest?: (line: string) => void
  /** For the gateway's own messages. */
  readonly log?: Log
  /** The clock of the cache and of throttling. */
  readonly nowMs?: () => number
}

/**
 * Starts the REST API of a template.
 *
 * @throws the server's own error, with its `code`, when it cannot listen: `EADDRINUSE`, `EACCES`
 * @example
 * const gateway = await startGateway({ ...sandbox, host: '127.0.0.1', port: 0 })
 * await fetch(`${gateway.baseUrl}/price/CRWD`)
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { host, port, chains = {}, logRequest, log = reportProblems, nowMs = () => performance.now() } = options
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  const domainName = toDomainName(server.address())
  const api = createApi(options, domainName, log, nowMs)
  const localChains = Object.entries(chains)
    .map(([network, { rpcUrl }]) => `${network}=${rpcUrl}`)
    .toSorted()
  server.on('request', (request, response) => {
    if (localChains.length > 0) response.setHeader('X-Local-Chains', localChains.join(' '))
    const beganAtMs = performance.now()
    response.on('finish', () => logRequest?.(formatRequest(request, response, performance.now() - beganAtMs)))
    serve(request, response, api).catch((error: unknown) => {
      log({ source: 'gateway', level: 'error', text: String(error) })
      response.destroy()
    })
  })
  const origin = `http://${domainName}`
  return {
    origin,
    baseUrl: `${origin}/${options.template.stageName}`,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function formatRequest({ method, url }: IncomingMessage, { statusCode }: ServerResponse, tookMs: number): string {
  return `${method} ${url} ${statusCode}, ${Math.round(tookMs)} ms`
}

function createApi({ template, functions }: Deployment, domainName: string, log: Log, nowMs: () => number): Stage {
  const { stageName } = template
  const stage = createStage({ template, functions, address: { stageName, domainName }, log, nowMs })
  return async request => (isWithoutStage(request, template) ? redirect(request, stageName) : stage(request))
}

/** Whether a path is a route's without the stage before it. API Gateway has nothing at such a path. */
function isWithoutStage({ httpMethod, path }: StageRequest, { routes }: Template): boolean {
  return ['GET', 'HEAD'].includes(httpMethod) && findRoute(routes, httpMethod, path) !== undefined
}

function redirect({ path, query }: StageRequest, stageName: string): GatewayReply {
  const location = `/${stageName}${path}${query === '' ? '' : `?${query}`}`
  // Any origin may follow it, because any origin may read the response behind it.
  return {
    status: 307,
    headers: { Location: location, 'Access-Control-Allow-Origin': '*' },
    body: '',
  }
}

async function serve(request: IncomingMessage, response: ServerResponse, respond: Stage): Promise<void> {
  response.setHeader('x-amzn-RequestId', randomUUID())
  send(response, await respond(toStageRequest(request)))
}

/**
 * Returns an address and port that reach the gateway: at a wildcard address, those that another machine uses.
 *
 * No name but `localhost`: the functions take any other for the deployed gateway's, with https.
 */
function toDomainName(bound: AddressInfo | string | null): string {
  if (bound === null || typeof bound === 'string') throw new Error('The gateway has no port.')
  const { address, port } = bound
  if (['0.0.0.0', '::'].includes(address)) return `${findExternalAddress() ?? 'localhost'}:${port}`
  return isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`
}

function findExternalAddress(): string | undefined {
  const interfaces = Object.values(networkInterfaces()).flatMap(addresses => addresses ?? [])
  return interfaces.find(({ family, internal }) => family === 'IPv4' && !internal)?.address
}
