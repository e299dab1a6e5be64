import { setTimeout as sleep } from 'node:timers/promises'
import { CodeDeployClient, PutLifecycleEventHookExecutionStatusCommand } from '@aws-sdk/client-codedeploy'
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { defaultNetwork, type Network, networks } from '../../api/networks.ts'
import type { ProblemDocument } from '../../api/problems.ts'
import type { LogFields } from '../../lambda/handlers/request-log.ts'
import { functionMs } from '../../lambda/timing.ts'

// Time limits: two checks of two invocations each (the list, then all other routes at once), the pause between them, and
// three reports. An invocation ends within the timeout of its own function.
const lambda = new LambdaClient({
  maxAttempts: 1,
  requestHandler: { requestTimeout: functionMs + 2_000, throwOnRequestTimeout: true },
})
const pauseMs = 2_000
const codeDeploy = new CodeDeployClient({
  maxAttempts: 3,
  requestHandler: { requestTimeout: 2_000, throwOnRequestTimeout: true },
})

/** The event that CodeDeploy sends before it moves an alias. */
interface HookEvent {
  readonly DeploymentId: string
  readonly LifecycleEventHookExecutionId: string
}

/** A route's row in the variable ROUTES. */
export interface HookRoute {
  readonly path: string
  /** The ARN of its function's new version. */
  readonly version: string
}

/** A network that the new versions do not serve. */
interface Failure {
  /** Why, with the path of the request. */
  readonly detail: string
  /** Whether it is logged only. */
  readonly canWait: boolean
}

/**
 * Handles the hook of a deployment: invokes the new versions as API Gateway does, and reports to CodeDeploy whether the
 * alias may move.
 *
 * Without a report, CodeDeploy waits for an hour. No setting shortens that.
 *
 * @see https://docs.aws.amazon.com/codedeploy/latest/userguide/reference-appspec-file-structure-hooks.html
 * @throws {Error} when CodeDeploy does not take the report
 */
export async function handler({ DeploymentId, LifecycleEventHookExecutionId }: HookEvent): Promise<void> {
  const failures = await findAllFailures(process.env['ROUTES'])
  for (const { detail } of failures) console.warn({ check: 'new versions answer before they get traffic', detail })
  const report = new PutLifecycleEventHookExecutionStatusCommand({
    deploymentId: DeploymentId,
    lifecycleEventHookExecutionId: LifecycleEventHookExecutionId,
    status: failures.every(({ canWait }) => canWait) ? 'Succeeded' : 'Failed',
  })
  await codeDeploy.send(report)
}

async function findAllFailures(variable: string | undefined): Promise<readonly Failure[]> {
  if (variable === undefined) return [{ detail: 'Missing the environment variable ROUTES.', canWait: false }]
  const routes: readonly HookRoute[] = JSON.parse(variable)
  return (await Promise.all(networks.map(network => checkTwice(network, routes)))).flat()
}

/** Checks a network, and once more after a failure, which may pass. */
async function checkTwice(network: Network, routes: readonly HookRoute[]): Promise<readonly Failure[]> {
  if ((await findFailures(network, routes)).length === 0) return []
  await sleep(pauseMs)
  return await findFailures(network, routes)
}

/** Requests the list of a network, then every other route, with the symbol of the first feed that could be read. */
async function findFailures(network: Network, routes: readonly HookRoute[]): Promise<readonly Failure[]> {
  const list = await invoke(routes.find(({ path }) => path === '/price')?.version, network, null)
  if (list.reason !== undefined) return [toFailure(network, '/price', list)]
  const feeds = Array.isArray(list.body['feeds']) ? list.body['feeds'].map(fieldsOf) : []
  const records = feeds.filter(feed => !('problem' in feed) && typeof feed['symbol'] === 'string')
  const canWait = network !== defaultNetwork && feeds.length > 0
  const detail = `GET /price of the ${network}: ${records.length} of ${feeds.length} feeds could be read`
  const ofList = 2 * records.length < feeds.length || feeds.length === 0 ? [{ detail, canWait }] : []
  const [record] = records
  if (record === undefined) return ofList
  const symbol = String(record['symbol'])
  const ofOthers = routes
    .filter(({ path }) => path !== '/price')
    .map(async ({ path, version }) => {
      const invoked = await invoke(version, network, path.includes('{symbol}') ? { symbol } : null)
      return invoked.reason === undefined ? [] : [toFailure(network, path.replace('{symbol}', symbol), invoked)]
    })
  return [...ofList, ...(await Promise.all(ofOthers)).flat()]
}

const unavailable = 'urn:problem-type:price-lookup:chain-unavailable' satisfies ProblemDocument['type']

function toFailure(network: Network, path: string, { reason, body }: Invoked): Failure {
  const detail = `GET ${path} of the ${network}: ${reason}`
  return { detail, canWait: network !== defaultNetwork && body['type'] === unavailable }
}

type Fields = Readonly<Record<string, unknown>>

interface Invoked {
  readonly body: Fields
  /** Why it is no success, without any text of an upstream; undefined for HTTP 200. */
  readonly reason: string | undefined
}

async function invoke(version: string | undefined, network: Network, pathParameters: Fields | null): Promise<Invoked> {
  // The fields of API Gateway's event that a route reads, and a mark for its log.
  const event = {
    caller: 'deployment' satisfies LogFields['caller'],
    httpMethod: 'GET',
    queryStringParameters: { network },
    pathParameters,
    requestContext: { domainName: 'before-allow-traffic.invalid', stage: 'v1' },
  }
  const command = new InvokeCommand({ FunctionName: version, Payload: JSON.stringify(event) })
  try {
    const { FunctionError, Payload } = await lambda.send(command)
    if (FunctionError !== undefined) return { body: {}, reason: 'the function failed' }
    const response = fieldsOf(JSON.parse(Payload?.transformToString() ?? ''))
    const body = fieldsOf(JSON.parse(String(response['body'])))
    const { statusCode } = response
    return { body, reason: statusCode === 200 ? undefined : `${statusCode} ${body['title']}` }
  } catch (error) {
    return { body: {}, reason: `not invoked, or no response: ${error instanceof Error ? error.name : 'unknown'}` }
  }
}

/** Returns the fields of an object, and none for any other value. */
function fieldsOf(json: unknown): Fields {
  return typeof json === 'object' && json !== null ? { ...json } : {}
}
