import { Sha256 } from '@smithy/core/checksum'
import { SignatureV4 } from '@smithy/signature-v4'
import { feedsOf } from '../../lambda/feeds/registry.ts'
import { type Network, networks } from '../../lambda/networks.ts'

/** The event that CodeDeploy sends before it moves an alias. */
interface HookEvent {
  readonly DeploymentId: string
  readonly LifecycleEventHookExecutionId: string
}

/**
 * Handles the hook of a deployment: invokes the new version of each function as API Gateway does, once per network.
 *
 * Reports to CodeDeploy whether all of them answered. Without a report, CodeDeploy would wait for an hour.
 */
export async function handler({ DeploymentId, LifecycleEventHookExecutionId }: HookEvent): Promise<void> {
  const failures = await checkVersions().catch(error => [
    `not checked: ${error instanceof Error ? error.name : 'unknown'}`,
  ])
  for (const detail of failures) console.warn({ check: 'new versions answer before they get traffic', detail })
  const report = {
    deploymentId: DeploymentId,
    lifecycleEventHookExecutionId: LifecycleEventHookExecutionId,
    status: failures.length === 0 ? 'Succeeded' : 'Failed',
  }
  const { ok, status } = await send('codedeploy', '/', report, {
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': 'CodeDeploy_20141006.PutLifecycleEventHookExecutionStatus',
  })
  if (!ok) throw new Error(`CodeDeploy refused the report: HTTP ${status}.`)
}

async function checkVersions(): Promise<readonly string[]> {
  const checks = networks.flatMap(network => {
    const [feed] = feedsOf(network)
    if (feed === undefined) return []
    return [
      findFailure('LIST_PRICES_VERSION', network, undefined),
      findFailure('GET_PRICE_VERSION', network, feed.symbol),
    ]
  })
  return (await Promise.all(checks)).flatMap(failure => failure ?? [])
}

/**
 * Invokes a version.
 *
 * @param variable of the environment, with the ARN of the version
 * @returns why it does not answer, without any text of an upstream; undefined when it answers
 */
async function findFailure(variable: string, network: Network, symbol: string | undefined) {
  const path = `/2015-03-31/functions/${encodeURIComponent(readVariable(variable))}/invocations`
  // The fields of API Gateway's event that a route reads.
  const event = {
    httpMethod: 'GET',
    queryStringParameters: { network },
    pathParameters: symbol === undefined ? null : { symbol },
    requestContext: { domainName: 'before-traffic.invalid', path: '/price' },
  }
  const request = `GET /price${symbol === undefined ? '' : `/${symbol}`} of ${network}`
  const response = await send('lambda', path, event, {})
  if (!response.ok) return `${request}: Lambda refused the invocation, HTTP ${response.status}`
  if (response.headers.has('x-amz-function-error')) return `${request}: the function failed`
  const { statusCode, body } = fieldsOf(await response.json())
  const { feeds, title } = fieldsOf(JSON.parse(String(body)))
  if (statusCode !== 200) return `${request}: ${statusCode} ${title}`
  const isUnreadable = Array.isArray(feeds) && feeds.every(feed => 'problem' in fieldsOf(feed))
  return isUnreadable ? `${request}: no feed could be read` : undefined
}

/** Sends a signed request to an AWS service of this region. Two kinds of requests need no client of the SDK. */
async function send(
  service: string,
  path: string,
  content: object,
  headers: Record<string, string>,
): Promise<Response> {
  const region = readVariable('AWS_REGION')
  const endpoint = process.env[`AWS_ENDPOINT_URL_${service.toUpperCase()}`]
  const url = new URL(path, endpoint ?? `https://${service}.${region}.amazonaws.com`)
  const credentials = {
    accessKeyId: readVariable('AWS_ACCESS_KEY_ID'),
    secretAccessKey: readVariable('AWS_SECRET_ACCESS_KEY'),
    sessionToken: readVariable('AWS_SESSION_TOKEN'),
  }
  const request = { method: 'POST', body: JSON.stringify(content), headers: { host: url.host, ...headers } }
  const signer = new SignatureV4({ service, region, credentials, sha256: Sha256 })
  const signed = await signer.sign({ ...request, protocol: url.protocol, hostname: url.hostname, path })
  return await fetch(url, { ...request, headers: signed.headers, signal: AbortSignal.timeout(15_000) })
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
