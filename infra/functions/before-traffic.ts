import { Sha256 } from '@smithy/core/checksum'
import { SignatureV4 } from '@smithy/signature-v4'
import { feedsOf } from '../../lambda/feeds/registry.ts'
import { type Network, networks } from '../../lambda/networks.ts'

/** What CodeDeploy sends before it moves an alias. */
interface HookEvent {
  readonly DeploymentId: string
  readonly LifecycleEventHookExecutionId: string
}

/**
 * Handles the hook of a deployment: invokes the new version of each function as API Gateway would, once per network.
 *
 * Reports to CodeDeploy whether all of them answered. Without a report, CodeDeploy would wait for an hour.
 */
export async function handler({ DeploymentId, LifecycleEventHookExecutionId }: HookEvent): Promise<void> {
  const details = await checkVersions().catch(error => [
    `not checked: ${error instanceof Error ? error.name : 'unknown'}`,
  ])
  for (const detail of details) console.warn({ check: 'new versions answer before they get traffic', detail })
  const report = {
    deploymentId: DeploymentId,
    lifecycleEventHookExecutionId: LifecycleEventHookExecutionId,
    status: details.length === 0 ? 'Succeeded' : 'Failed',
  }
  const { ok, status } = await send('codedeploy', '/', JSON.stringify(report), {
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': 'CodeDeploy_20141006.PutLifecycleEventHookExecutionStatus',
  })
  if (!ok) throw new Error(`CodeDeploy took no report: HTTP ${status}.`)
}

async function checkVersions(): Promise<readonly string[]> {
  const feeds = networks.flatMap(network =>
    feedsOf(network)
      .slice(0, 1)
      .map(({ symbol }) => ({ network, symbol })),
  )
  const results = await Promise.all(
    feeds.flatMap(({ network, symbol }) => [
      checkVersion('LIST_PRICES_VERSION', `GET /price of ${network}`, toEvent('/price', network, undefined)),
      checkVersion(
        'GET_PRICE_VERSION',
        `GET /price/${symbol} of ${network}`,
        toEvent('/price/{symbol}', network, symbol),
      ),
    ]),
  )
  return results.flatMap(failure => failure ?? [])
}

/** The fields of API Gateway's event that a route reads. */
function toEvent(resource: string, network: Network, symbol: string | undefined): object {
  return {
    resource,
    httpMethod: 'GET',
    headers: {},
    queryStringParameters: { network },
    pathParameters: symbol === undefined ? null : { symbol },
    requestContext: { domainName: 'before-traffic.invalid', path: '/price' },
  }
}

/** Invokes a version. Returns a sentence without any text of an upstream; undefined when it answered. */
async function checkVersion(variable: string, request: string, event: object): Promise<string | undefined> {
  const path = `/2015-03-31/functions/${encodeURIComponent(readVariable(variable))}/invocations`
  const response = await send('lambda', path, JSON.stringify(event), {})
  if (!response.ok) return `${request}: Lambda refused the invocation, HTTP ${response.status}`
  if (response.headers.has('x-amz-function-error')) return `${request}: the function failed`
  const { statusCode, body } = fieldsOf(await response.json())
  const { feeds, title } = fieldsOf(JSON.parse(String(body)))
  if (statusCode !== 200) return `${request}: ${statusCode} ${title}`
  const isUnreadable = Array.isArray(feeds) && feeds.every(feed => 'problem' in fieldsOf(feed))
  return isUnreadable ? `${request}: no feed could be read` : undefined
}

/** Sends a signed request to an AWS service of this region. */
async function send(service: string, path: string, body: string, headers: Record<string, string>): Promise<Response> {
  const region = readVariable('AWS_REGION')
  const credentials = {
    accessKeyId: readVariable('AWS_ACCESS_KEY_ID'),
    secretAccessKey: readVariable('AWS_SECRET_ACCESS_KEY'),
    sessionToken: readVariable('AWS_SESSION_TOKEN'),
  }
  const endpoint = process.env[`AWS_ENDPOINT_URL_${service.toUpperCase()}`]
  const url = new URL(path, endpoint ?? `https://${service}.${region}.amazonaws.com`)
  const signer = new SignatureV4({ service, region, credentials, sha256: Sha256 })
  const { protocol, hostname } = url
  const signed = await signer.sign({
    method: 'POST',
    protocol,
    hostname,
    path,
    body,
    headers: { host: url.host, ...headers },
  })
  return await fetch(url, { method: 'POST', headers: signed.headers, body, signal: AbortSignal.timeout(15_000) })
}

/** @throws {Error} when the variable is missing */
function readVariable(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`Missing the environment variable ${name}.`)
  return value
}

/** Returns the fields of an object, and none for any other value. */
function fieldsOf(json: unknown): Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null ? { ...json } : {}
}
