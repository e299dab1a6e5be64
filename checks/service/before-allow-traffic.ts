import { setTimeout as sleep } from 'node:timers/promises'
import { CodeDeployClient, PutLifecycleEventHookExecutionStatusCommand } from '@aws-sdk/client-codedeploy'
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { findRoute, stageName } from '../../api/routes.ts'
import type { LogFields } from '../../lambda/handlers/request-log.ts'
import { variables } from '../../lambda/settings.ts'
import { functionMs } from '../../lambda/timing.ts'
import { createClient, type Send } from './client.ts'
import { listNetworkChecks } from './network-checks.ts'
import { runChecks } from './run-checks.ts'

/**
 * The time limits of the hook. Its own timeout (`infra/functions/canary.ts`) exceeds their sum: the checks run twice,
 * with two invocations for each network and a pause between them. An invocation may take longer than the timeout of the
 * function that is invoked.
 */
export const limits = { invocationMs: functionMs + 2_000, pauseMs: 2_000, reportMs: 2_000, reportAttempts: 3 } as const

const lambda = new LambdaClient({
  maxAttempts: 1,
  requestHandler: { requestTimeout: limits.invocationMs, throwOnRequestTimeout: true },
})
const codeDeploy = new CodeDeployClient({
  maxAttempts: limits.reportAttempts,
  requestHandler: { requestTimeout: limits.reportMs, throwOnRequestTimeout: true },
})

/** The event that CodeDeploy sends before it moves an alias. */
interface HookEvent {
  readonly DeploymentId: string
  readonly LifecycleEventHookExecutionId: string
}

/**
 * Handles the hook of a deployment: checks the new versions of the functions, without API Gateway, and reports to
 * CodeDeploy whether the alias may move.
 *
 * Without a report, CodeDeploy waits for an hour. No setting shortens that.
 *
 * @see https://docs.aws.amazon.com/codedeploy/latest/userguide/reference-appspec-file-structure-hooks.html
 * @throws {Error} when CodeDeploy does not take the report
 */
export async function handler({ DeploymentId, LifecycleEventHookExecutionId }: HookEvent): Promise<void> {
  let results = await checkNewVersions()
  // A failure may be temporary, so the checks are repeated once.
  if (results.some(isFailure)) {
    await sleep(limits.pauseMs)
    results = await checkNewVersions()
  }
  for (const { name, detail } of results.filter(({ result }) => result !== 'passed')) {
    console.warn({ check: 'new versions answer before they get traffic', detail: `${name}: ${detail}` })
  }
  const report = new PutLifecycleEventHookExecutionStatusCommand({
    deploymentId: DeploymentId,
    lifecycleEventHookExecutionId: LifecycleEventHookExecutionId,
    status: results.some(isFailure) ? 'Failed' : 'Succeeded',
  })
  await codeDeploy.send(report)
}

function isFailure({ result }: { readonly result: string }): boolean {
  return result === 'failed'
}

const domainName = 'before-allow-traffic.invalid'

function checkNewVersions() {
  const baseUrl = process.env[variables.publicBaseUrl] ?? `https://${domainName}/${stageName}`
  const send: Send = url => invoke(new URL(url.slice(baseUrl.length), baseUrl))
  return runChecks(listNetworkChecks(1), createClient(baseUrl, send))
}

/**
 * Invokes the new version of a route's function, as API Gateway does.
 *
 * @throws {Error} without any text of AWS when there is no response
 */
async function invoke({ pathname, searchParams }: URL): Promise<Response> {
  const found = findRoute(pathname)
  const versions: Readonly<Record<string, string>> = JSON.parse(process.env[variables.versions] ?? '{}')
  const version = found === undefined ? undefined : versions[found.route.path]
  if (found === undefined || version === undefined)
    throw new Error(`the environment variable ${variables.versions} has no version of ${pathname}`)
  // The fields of API Gateway's event that a route reads, and a mark for its log.
  const event = {
    caller: 'deployment' satisfies LogFields['caller'],
    httpMethod: 'GET',
    queryStringParameters: searchParams.size === 0 ? null : Object.fromEntries(searchParams),
    pathParameters: found.pathParameters,
    requestContext: { domainName, stage: stageName },
  }
  const command = new InvokeCommand({ FunctionName: version, Payload: JSON.stringify(event) })
  const { FunctionError, Payload } = await lambda.send(command).catch((error: unknown) => {
    throw new Error(`not invoked: ${error instanceof Error ? error.name : 'unknown'}`)
  })
  if (FunctionError !== undefined || Payload === undefined) throw new Error('the function failed')
  const { statusCode, body } = JSON.parse(Payload.transformToString())
  return new Response(body, { status: statusCode })
}
