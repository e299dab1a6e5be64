import { RemovalPolicy, Stack } from 'aws-cdk-lib'
import { CfnAccount } from 'aws-cdk-lib/aws-apigateway'
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { Construct } from 'constructs'
import { acknowledge } from './audit.ts'

/** The role with which API Gateway writes logs: one for all APIs of an account and region, and so deployed once. */
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
      'The role serves every API of the account, of which this stack knows nothing; AWS maintains this policy for just that role, and API Gateway verifies it.',
    )
    const account = new CfnAccount(this, 'Account', { cloudWatchRoleArn: role.roleArn })
    // Both stay, whatever becomes of the stack: every API of the account logs through them.
    role.applyRemovalPolicy(RemovalPolicy.RETAIN)
    account.applyRemovalPolicy(RemovalPolicy.RETAIN)
  }
}
