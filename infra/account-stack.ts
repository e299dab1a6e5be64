import { RemovalPolicy, Stack } from 'aws-cdk-lib'
import { CfnAccount } from 'aws-cdk-lib/aws-apigateway'
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { Construct } from 'constructs'
import { acknowledge } from './audit.ts'

/** The role with which API Gateway writes logs. It serves all APIs of an account and region, so it is deployed once. */
export class AccountStack extends Stack {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      description: 'Lets API Gateway write logs in this account and region',
      terminationProtection: true,
    })
    const role = new Role(this, 'LoggingRole', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('service-role/AmazonAPIGatewayPushToCloudWatchLogs')],
    })
    acknowledge(
      role,
      'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
      'The role serves every API of the account, which this stack cannot list. AWS maintains this policy for this role, and API Gateway checks it.',
    )
    const account = new CfnAccount(this, 'Account', { cloudWatchRoleArn: role.roleArn })
    // Both outlive the stack: every API of the account logs with them.
    role.applyRemovalPolicy(RemovalPolicy.RETAIN)
    account.applyRemovalPolicy(RemovalPolicy.RETAIN)
  }
}
