import { Duration, Stack, Validations } from 'aws-cdk-lib'
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch'
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy'
import type { Function as NodeFunction } from 'aws-cdk-lib/aws-lambda'
import type { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { networks } from '../../api/networks.ts'
import { variables } from '../../lambda/settings.ts'
import { functionMs } from '../../lambda/timing.ts'
import { acknowledgeWildcard } from './acknowledge-wildcard.ts'
import { createNodeFunction } from './node-function.ts'
import type { RouteFunction } from './route-function.ts'

interface HookProps {
  readonly functions: readonly RouteFunction[]
  readonly logGroup: LogGroup
  /** The public URL, with which the URLs in responses begin; undefined for the URL to which a request was sent. */
  readonly publicBaseUrl: string | undefined
}

/** The policy that CDK attaches to the role of CodeDeploy. */
const managedPolicy = 'service-role/AWSCodeDeployRoleForLambdaLimited'

/**
 * Adds canary deployments: CodeDeploy moves the alias of each function to a new version, for 10 % of the requests at
 * first, for all of them after five minutes.
 *
 * 1. A function checks the new versions (`checks/service/before-allow-traffic.ts`). If one fails, the alias does not move.
 * 2. If one of three alarms goes into ALARM within the five minutes, the alias moves back: a function failed, or
 *    responded with `internal` or `not-configured`.
 *
 * In both cases the deployment of the stack fails.
 *
 * @throws {Error} if one of the three alarms does not exist
 */
export function addCanary(scope: Construct, alarms: ReadonlyMap<string, Alarm>, props: HookProps): void {
  const watched = ['function-errors', 'not-configured', 'internal'].map(name => {
    const alarm = alarms.get(name)
    if (alarm === undefined) throw new Error(`The canary watches the alarm ${name}, which does not exist.`)
    return alarm
  })
  const application = new LambdaApplication(scope, 'Canary')
  const hook = createHook(scope, props)
  for (const { route, alias } of props.functions) {
    const group = new LambdaDeploymentGroup(scope, `Canary-${route.handler}`, {
      application,
      alias,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      alarms: watched,
      preHook: hook,
    })
    // The alias waits for the hook with the permissions of its role, and for CodeDeploy's permission to invoke the
    // hook.
    alias.node.addDependency(hook, group.role)
    Validations.of(group).acknowledge({
      id: `AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${managedPolicy}]`,
      reason: 'AWS maintains this policy for CodeDeploy and Lambda. It moves aliases and reads alarms.',
    })
    const reason = 'CDK permits CodeDeploy to invoke every version of the hook, which has one.'
    acknowledgeWildcard(group, `${hook.functionArn}:*`, reason)
  }
}

/** Creates the function that checks the new version of each route before it gets requests. */
function createHook(scope: Construct, { functions, logGroup, publicBaseUrl }: HookProps): NodeFunction {
  const versions = functions.map(({ route, handler }) => [route.path, handler.currentVersion.functionArn])
  const hook = createNodeFunction(scope, 'BeforeAllowTraffic', {
    entry: 'checks/service/before-allow-traffic.ts',
    memorySize: 512,
    // The timeout exceeds the sum of the hook's own time limits, as a test computes.
    timeout: Duration.millis(4 * networks.length * (functionMs + 2_000) + 12_000),
    logGroup,
    environment: {
      [variables.versions]: Stack.of(scope).toJsonString(Object.fromEntries(versions)),
      ...(publicBaseUrl === undefined ? {} : { [variables.publicBaseUrl]: publicBaseUrl }),
    },
  })
  for (const { handler } of functions) {
    // The permission is for every version: one that changed with each release might not be in effect yet when the hook
    // runs.
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
