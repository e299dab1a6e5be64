import { Template } from 'aws-cdk-lib/assertions'
import { expect, test } from 'vitest'
import { AccountStack } from '../../infra/account-stack.ts'
import { allOf, createApp } from './synthesise.ts'

const stack = new AccountStack(createApp(), 'account')
const template = Template.fromStack(stack)

test('API Gateway may write logs, by one role for the whole account', () => {
  const [role] = Object.keys(template.findResources('AWS::IAM::Role'))
  expect(allOf(template, 'ApiGateway::Account')).toEqual([{ CloudWatchRoleArn: { 'Fn::GetAtt': [role, 'Arn'] } }])
  template.hasResourceProperties('AWS::IAM::Role', {
    AssumeRolePolicyDocument: {
      Statement: [{ Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'apigateway.amazonaws.com' } }],
    },
  })
})

test('nobody deletes it by mistake, since every API of the account logs through it', () => {
  expect(stack.terminationProtection).toBe(true)
  template.hasResource('AWS::ApiGateway::Account', { DeletionPolicy: 'Retain' })
  template.hasResource('AWS::IAM::Role', { DeletionPolicy: 'Retain' })
})
