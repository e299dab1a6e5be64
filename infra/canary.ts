import type { Stack } from 'aws-cdk-lib'
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch'
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy'
import type { Alias } from 'aws-cdk-lib/aws-lambda'
import { acknowledge } from './audit.ts'

/**
 * Lets CodeDeploy move the alias of each function: 10 % of the requests to a new version, all of them after five minutes.
 *
 * An alarm moves it back, and so fails the deployment of the stack: the function failed, or responded with `internal`.
 */
export function addCanary(
  scope: Stack,
  routes: readonly { readonly name: string; readonly alias: Alias }[],
  alarms: readonly Alarm[],
): void {
  const application = new LambdaApplication(scope, 'Canary')
  for (const { name, alias } of routes) {
    const group = new LambdaDeploymentGroup(scope, `Canary-${name}`, {
      application,
      alias,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      alarms: alarms.filter(({ node }) => [`Alarm-${name}-errors`, 'Alarm-internal'].includes(node.id)),
    })
    acknowledge(
      group,
      'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
      'AWS maintains this policy for CodeDeploy and Lambda. It moves aliases and reads alarms.',
    )
  }
}
