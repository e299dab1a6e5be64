import { Duration, Stack, Validations } from 'aws-cdk-lib'
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch'
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy'
import type { Function as NodeFunction } from 'aws-cdk-lib/aws-lambda'
import type { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { functionMs } from '../../lambda/timing.ts'
import { acknowledgeWildcard } from './acknowledge-wildcard.ts'
import type { HookRoute } from './before-allow-traffic.ts'
import { createNodeFunction } from './node-function.ts'
import type { RouteFunction } from './route-function.ts'

/** CDK attaches it to the role of CodeDeploy. */
const managedPolicy = 'service-role/AWSCodeDeployRoleForLambdaLimited'

/**
 * Adds canary deployments: CodeDeploy moves the alias of each function to a new version, for 10 % of the requests at
 * first, for all of them after five minutes.
 *
 * 1. A function invokes the new versions (`before-allow-traffic.ts`). If one does not answer, the alias does not move.
 * 2. If one of three alarms rings within the five minutes, the alias moves back: a function failed, or responded with
 *    `internal` or `not-configured`.
 *
 * In both cases the deployment of the stack fails.
 */
export function addCanary(
  scope: Construct,
  functions: readonly RouteFunction[],
  alarms: readonly Alarm[],
  logGroup: LogGroup,
): void {
  const application = new LambdaApplication(scope, 'Canary')
  const hook = createHook(scope, functions, logGroup)
  const watched = ['Alarm-function-errors', 'Alarm-internal', 'Alarm-not-configured']
  for (const { route, alias } of functions) {
    const group = new LambdaDeploymentGroup(scope, `Canary-${route.handler}`, {
      application,
      alias,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      alarms: alarms.filter(({ node }) => watched.includes(node.id)),
      preHook: hook,
    })
    // Create the hook, its versions and its permissions before the alias.
    alias.node.addDependency(hook, group.role)
    Validations.of(group).acknowledge({
      id: `AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${managedPolicy}]`,
      reason: 'AWS maintains this policy for CodeDeploy and Lambda. It moves aliases and reads alarms.',
    })
    const reason = 'CDK permits CodeDeploy to invoke every version of the hook, which has one.'
    acknowledgeWildcard(group, `${hook.functionArn}:*`, reason)
  }
}

/** Creates the function that invokes the new version of each route before it gets requests. */
function createHook(scope: Construct, functions: readonly RouteFunction[], logGroup: LogGroup): NodeFunction {
  const routes = functions.map(
    ({ route: { path }, handler }): HookRoute => ({ path, version: handler.currentVersion.functionArn }),
  )
  const hook = createNodeFunction(scope, 'BeforeAllowTraffic', {
    entry: 'infra/functions/before-allow-traffic.ts',
    memorySize: 512,
    // Above the time limits of `before-allow-traffic.ts` together: four of invocations, and 8 s.
    timeout: Duration.millis(4 * (functionMs + 2_000) + 12_000),
    logGroup,
    environment: { ROUTES: Stack.of(scope).toJsonString(routes) },
  })
  for (const { handler } of functions) {
    // Of every version: a permission that changed with each release might not be in effect when the hook runs.
    handler.grantInvoke(hook)
    const invoked = `${handler.functionArn}:*`
    acknowledgeWildcard(hook.role ?? hook, invoked, 'The hook invokes the version that is new in each release.')
  }
  const reason = 'CodeDeploy invokes the function and waits for its report. Without one, the deployment fails.'
  Validations.of(hook).acknowledge(
    { id: 'Serverless::Serverless-LambdaDLQ', reason },
    { id: 'Serverless::Serverless-LambdaAsyncFailureDestination', reason },
  )
  return hook
}
