import { RemovalPolicy, Stack, Validations } from 'aws-cdk-lib'
import { CfnAccount } from 'aws-cdk-lib/aws-apigateway'
import { CfnBudget } from 'aws-cdk-lib/aws-budgets'
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { Construct } from 'constructs'
import type { Account } from './environments.ts'

const managedPolicy = 'service-role/AmazonAPIGatewayPushToCloudWatchLogs'

/** The role with which API Gateway writes the logs of all APIs of a region, and the budget of the account. */
export class AccountStack extends Stack {
  constructor(scope: Construct, id: string, { monthlyBudgetUsd, alarmEmail }: Account) {
    super(scope, id, {
      description:
        'The role with which API Gateway writes logs in this account and region, and the budget of the account',
    })
    const role = new Role(this, 'LoggingRole', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(managedPolicy)],
    })
    Validations.of(role).acknowledge({
      id: `AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${managedPolicy}]`,
      reason:
        'The role serves every API of the account, which this stack cannot list. ' +
        'AWS maintains this policy for this role, and API Gateway checks it.',
    })
    const account = new CfnAccount(this, 'Account', { cloudWatchRoleArn: role.roleArn })
    // Both outlive the stack: every API of the account logs with them.
    role.applyRemovalPolicy(RemovalPolicy.RETAIN)
    account.applyRemovalPolicy(RemovalPolicy.RETAIN)
    if (monthlyBudgetUsd !== undefined) addBudget(this, monthlyBudgetUsd, alarmEmail)
  }
}

/** Adds a budget. It notifies at 80 % of its amount, and as soon as the month is expected to exceed the amount. */
function addBudget(scope: Construct, amount: number, email: string | undefined): void {
  // A notification must have a subscriber.
  const notifications =
    email === undefined ? [] : [toNotification('ACTUAL', 80, email), toNotification('FORECASTED', 100, email)]
  new CfnBudget(scope, 'Budget', {
    budget: {
      // The budget has the name of the stack, because infra/execution-policy.json permits CloudFormation only names
      // that begin with `price-lookup-`.
      budgetName: Stack.of(scope).stackName,
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount, unit: 'USD' },
    },
    notificationsWithSubscribers: notifications,
  })
}

function toNotification(notificationType: string, threshold: number, address: string) {
  return {
    notification: { notificationType, threshold, thresholdType: 'PERCENTAGE', comparisonOperator: 'GREATER_THAN' },
    subscribers: [{ subscriptionType: 'EMAIL', address }],
  }
}
