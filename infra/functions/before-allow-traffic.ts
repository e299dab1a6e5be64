import { CodeDeployClient, PutLifecycleEventHookExecutionStatusCommand } from '@aws-sdk/client-codedeploy'
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { feedsOf } from '../../lambda/feeds/registry.ts'
import { type Network, networks } from '../../lambda/networks.ts'

// An invocation ends within the timeout of its function, 10 s, and is not repeated.
const lambda = new LambdaClient({
  maxAttempts: 1,
  requestHandler: { requestTimeout: 12_000, throwOnRequestTimeout: true },
})
const codeDeploy = new CodeDeployClient({
  maxAttempts: 3,
  requestHandler: { requestTimeout: 3_000, throwOnRequestTimeout: true },
})

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
  const report = new PutLifecycleEventHookExecutionStatusCommand({
    deploymentId: DeploymentId,
    lifecycleEventHookExecutionId: LifecycleEventHookExecutionId,
    status: failures.length === 0 ? 'Succeeded' : 'Failed',
  })
  await codeDeploy.send(report)
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
  // The fields of API Gateway's event that a route reads.
  const event = {
    httpMethod: 'GET',
    queryStringParameters: { network },
    pathParameters: symbol === undefined ? null : { symbol },
    requestContext: { domainName: 'before-allow-traffic.invalid', path: '/price' },
  }
  const request = `GET /price${symbol === undefined ? '' : `/${symbol}`} of ${network}`
  const command = new InvokeCommand({ FunctionName: readVariable(variable), Payload: JSON.stringify(event) })
  const { FunctionError, Payload } = await lambda.send(command)
  if (FunctionError !== undefined) return `${request}: the function failed`
  const { statusCode, body } = fieldsOf(JSON.parse(Payload?.transformToString() ?? 'null'))
  const { feeds, title } = fieldsOf(JSON.parse(String(body)))
  if (statusCode !== 200) return `${request}: ${statusCode} ${title}`
  const isUnreadable = Array.isArray(feeds) && feeds.every(feed => 'problem' in fieldsOf(feed))
  return isUnreadable ? `${request}: no feed could be read` : undefined
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
