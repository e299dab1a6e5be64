import { expect, test } from 'vitest'
import cdk from '../../cdk.json' with { type: 'json' }
import { AccountStack } from '../../infra/account-stack.ts'
import { type Account, account } from '../../infra/environments.ts'
import { allOf, toReadable, toTemplate } from '../support/infra/synthesise.ts'

const templateWith = (settings: Partial<Account> = {}) =>
  toTemplate(app => new AccountStack(app, 'price-lookup-account', { ...account, alarmEmail: undefined, ...settings }))

test('the account has one role, with which API Gateway writes logs; both outlive the stack', () => {
  const resources = Object.values<object>(templateWith({ monthlyBudgetUsd: undefined }).toJSON()['Resources'])
  const retained = { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' }
  const policy = 'arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs'
  expect(toReadable(resources)).toMatchObject([
    { Type: 'AWS::IAM::Role', Properties: { ManagedPolicyArns: [policy] }, ...retained },
    { Type: 'AWS::ApiGateway::Account', Properties: { CloudWatchRoleArn: '<LoggingRole.Arn>' }, ...retained },
  ])
})

test('the budget, if there is one, notifies at 80 %, and when the month is expected to exceed it', () => {
  const budgetsWith = (settings: Partial<Account>) => allOf(templateWith(settings), 'Budgets::Budget')
  const limit = { Amount: 200, Unit: 'USD' }
  const budget = { BudgetName: 'price-lookup-account', BudgetType: 'COST', TimeUnit: 'MONTHLY', BudgetLimit: limit }
  const notification = (NotificationType: string, Threshold: number) => ({
    Notification: { NotificationType, Threshold, ThresholdType: 'PERCENTAGE', ComparisonOperator: 'GREATER_THAN' },
    Subscribers: [{ SubscriptionType: 'EMAIL', Address: 'oncall@prices.example' }],
  })
  expect(budgetsWith({})).toEqual([{ Budget: budget, NotificationsWithSubscribers: [] }])
  expect(budgetsWith({ monthlyBudgetUsd: undefined })).toEqual([])
  expect(budgetsWith({ alarmEmail: 'oncall@prices.example' })).toEqual([
    { Budget: budget, NotificationsWithSubscribers: [notification('ACTUAL', 80), notification('FORECASTED', 100)] },
  ])
})

test('the bucket and the roles of CDK are not those of the other CDK applications of the account', () => {
  expect(templateWith().toJSON()['Parameters']).toMatchObject({
    BootstrapVersion: { Default: '/cdk-bootstrap/pricelook/version' },
  })
  // Otherwise `cdk bootstrap` would replace the stack of the others, whose qualifier would change.
  expect(cdk.toolkitStackName).toBe('price-lookup-toolkit')
})
