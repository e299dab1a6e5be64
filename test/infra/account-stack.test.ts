import { Template } from 'aws-cdk-lib/assertions'
import { expect, test } from 'vitest'
import { AccountStack } from '../../infra/account-stack.ts'
import { type Account, account } from '../../infra/environments.ts'
import { allOf, createApp, toReadable } from './synthesise.ts'

const stackWith = (settings: Partial<Account> = {}) =>
  new AccountStack(createApp(), 'price-lookup-account', { ...account, ...settings })
const stack = stackWith()
const budgetsOf = (of: AccountStack) => allOf(Template.fromStack(of), 'Budgets::Budget')

test('the account has one role, with which API Gateway writes logs; both outlive the stack', () => {
  const resources = Object.values<object>(
    Template.fromStack(stackWith({ monthlyBudgetUsd: undefined })).toJSON()['Resources'],
  )
  const retained = { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' }
  const trust = { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'apigateway.amazonaws.com' } }
  const policy = 'arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs'
  expect(toReadable(resources.map(resource => ({ ...resource, Metadata: undefined })))).toEqual([
    {
      Type: 'AWS::IAM::Role',
      Properties: {
        AssumeRolePolicyDocument: { Version: '2012-10-17', Statement: [trust] },
        ManagedPolicyArns: [policy],
      },
      ...retained,
    },
    { Type: 'AWS::ApiGateway::Account', Properties: { CloudWatchRoleArn: '<LoggingRole.Arn>' }, ...retained },
  ])
})

const budget = {
  BudgetType: 'COST',
  TimeUnit: 'MONTHLY',
  BudgetLimit: { Amount: account.monthlyBudgetUsd, Unit: 'USD' },
}

test('the account has a monthly budget, unless its settings have none', () => {
  expect(budgetsOf(stack)).toEqual([{ Budget: budget, NotificationsWithSubscribers: [] }])
  expect(budgetsOf(stackWith({ monthlyBudgetUsd: undefined }))).toEqual([])
})

test('the budget notifies the email address at 80 %, and when the month is expected to exceed it', () => {
  const notification = (NotificationType: string, Threshold: number) => ({
    Notification: { NotificationType, Threshold, ThresholdType: 'PERCENTAGE', ComparisonOperator: 'GREATER_THAN' },
    Subscribers: [{ SubscriptionType: 'EMAIL', Address: 'oncall@prices.example' }],
  })
  expect(budgetsOf(stackWith({ alarmEmail: 'oncall@prices.example' }))).toEqual([
    { Budget: budget, NotificationsWithSubscribers: [notification('ACTUAL', 80), notification('FORECASTED', 100)] },
  ])
})

test('the stack is protected from deletion', () => {
  expect(stack.terminationProtection).toBe(true)
})
