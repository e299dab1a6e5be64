import { Template } from 'aws-cdk-lib/assertions'
import { expect, test } from 'vitest'
import { AccountStack } from '../../infra/account-stack.ts'
import { createApp, toReadable } from './synthesise.ts'

const stack = new AccountStack(createApp(), 'price-lookup-account')

test('the account has one role, with which API Gateway writes logs; both outlive the stack', () => {
  const resources = Object.values<object>(Template.fromStack(stack).toJSON()['Resources'])
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

test('the stack is protected from deletion', () => {
  expect(stack.terminationProtection).toBe(true)
})
