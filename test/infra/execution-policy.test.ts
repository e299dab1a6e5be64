import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import cdk from '../../cdk.json' with { type: 'json' }
import { AccountStack } from '../../infra/account-stack.ts'
import { account } from '../../infra/environments.ts'
import policy from '../../infra/execution-policy.json' with { type: 'json' }
import { domain, everythingOn, prod, synthesise, toTemplate } from '../support/infra/synthesise.ts'

interface Statement {
  readonly Action: string | readonly string[]
  readonly Resource: string | readonly string[]
}

const statements: readonly Statement[] = policy.Statement

test('every statement of the policy allows', () => {
  expect(new Set(policy.Statement.map(({ Effect }) => Effect))).toEqual(new Set(['Allow']))
})

/** Whether a pattern matches a text. In a policy of IAM, an asterisk matches any characters. */
function isMatch(patterns: string | readonly string[], text: string): boolean {
  const toRegExp = (pattern: string) => new RegExp(`^${pattern.split('*').map(RegExp.escape).join('.*')}$`)
  return [patterns].flat().some(pattern => toRegExp(pattern).test(text))
}

/** @param action `SERVICE:*` for every action of the service */
function isAllowed(action: string, arn: string): boolean {
  return statements.some(({ Action, Resource }) => isMatch(Action, action) && isMatch(Resource, arn))
}

const here = 'eu-west-1:111122223333'
/** API Gateway generates the ids of its resources. */
const gateway = 'arn:aws:apigateway:eu-west-1::'
const roles = 'arn:aws:iam::111122223333:role'

/**
 * By type of resource: what CloudFormation must be allowed, on which ARN, and which property has the NAME in it or
 * refers to the resource that has it.
 *
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
 */
const types: Record<string, readonly [action: string, arn: string, name?: string]> = {
  'ApiGateway::Account': ['apigateway:*', `${gateway}/account`],
  'ApiGateway::BasePathMapping': ['apigateway:*', `${gateway}/domainnames/NAME/basepathmappings/ID`, 'DomainName'],
  'ApiGateway::Deployment': ['apigateway:*', `${gateway}/restapis/ID/deployments/ID`],
  'ApiGateway::DomainName': ['apigateway:*', `${gateway}/domainnames/NAME`, 'DomainName'],
  'ApiGateway::GatewayResponse': ['apigateway:*', `${gateway}/restapis/ID/gatewayresponses/NAME`, 'ResponseType'],
  'ApiGateway::Method': ['apigateway:*', `${gateway}/restapis/ID/resources/ID/methods/NAME`, 'HttpMethod'],
  'ApiGateway::Resource': ['apigateway:*', `${gateway}/restapis/ID/resources/ID`],
  'ApiGateway::RestApi': ['apigateway:*', `${gateway}/restapis`],
  'ApiGateway::Stage': ['apigateway:*', `${gateway}/restapis/ID/stages/NAME`, 'StageName'],
  'Budgets::Budget': ['budgets:*', 'arn:aws:budgets::111122223333:budget/NAME', 'Budget'],
  'CloudWatch::Alarm': ['cloudwatch:*', `arn:aws:cloudwatch:${here}:alarm:NAME`, 'AlarmName'],
  'CloudWatch::Dashboard': ['cloudwatch:*', 'arn:aws:cloudwatch::111122223333:dashboard/NAME', 'DashboardName'],
  'CodeDeploy::Application': ['codedeploy:*', `arn:aws:codedeploy:${here}:application:NAME`, 'ApplicationName'],
  'CodeDeploy::DeploymentGroup': [
    'codedeploy:*',
    `arn:aws:codedeploy:${here}:deploymentgroup:NAME/ID`,
    'ApplicationName',
  ],
  'Events::Rule': ['events:*', `arn:aws:events:${here}:rule/NAME`, 'Name'],
  'IAM::Policy': ['iam:*', `${roles}/NAME`, 'Roles'],
  'IAM::Role': ['iam:*', `${roles}/NAME`, 'RoleName'],
  'Lambda::Alias': ['lambda:*', `arn:aws:lambda:${here}:function:NAME:live`, 'FunctionName'],
  'Lambda::EventInvokeConfig': ['lambda:*', `arn:aws:lambda:${here}:function:NAME`, 'FunctionName'],
  'Lambda::Function': ['lambda:*', `arn:aws:lambda:${here}:function:NAME`, 'FunctionName'],
  'Lambda::Permission': ['lambda:*', `arn:aws:lambda:${here}:function:NAME`, 'FunctionName'],
  'Lambda::Version': ['lambda:*', `arn:aws:lambda:${here}:function:NAME:1`, 'FunctionName'],
  'Logs::LogGroup': ['logs:*', `arn:aws:logs:${here}:log-group:NAME:*`, 'LogGroupName'],
  'Logs::MetricFilter': ['logs:*', `arn:aws:logs:${here}:log-group:NAME:*`, 'LogGroupName'],
  'Route53::RecordSet': ['route53:ChangeResourceRecordSets', 'arn:aws:route53:::hostedzone/NAME', 'HostedZoneId'],
  'SNS::Subscription': ['sns:Subscribe', `arn:aws:sns:${here}:NAME`, 'TopicArn'],
  'SNS::Topic': ['sns:*', `arn:aws:sns:${here}:NAME`, 'TopicName'],
  'SNS::TopicPolicy': ['sns:*', `arn:aws:sns:${here}:NAME`, 'Topics'],
  'SSM::Parameter': ['ssm:*', `arn:aws:ssm:${here}:parameterNAME`, 'Name'],
  'WAFv2::WebACL': ['wafv2:*', `arn:aws:wafv2:${here}:regional/webacl/NAME/ID`, 'Name'],
  'WAFv2::WebACLAssociation': ['wafv2:AssociateWebACL', `${gateway}/restapis/ID/stages/v1`],
}

interface Resource {
  readonly Type: string
  readonly Properties?: Readonly<Record<string, unknown>>
}

test.each([
  {
    stack: 'price-lookup-account',
    template: toTemplate(app => new AccountStack(app, 'price-lookup-account', account)),
  },
  { stack: 'price-lookup-prod', template: synthesise(prod, 'prod') },
  { stack: 'price-lookup-test', template: synthesise(everythingOn) },
])('the policy covers every resource of the stack $stack', ({ stack, template }) => {
  const resources: Readonly<Record<string, Resource>> = template.toJSON()['Resources']
  const rowOf = (id: string) => types[String(resources[id]?.Type).replace('AWS::', '')]
  /** Without a name, CloudFormation generates one from the stack and the logical id. */
  const nameOf = (id: string): string => {
    const [, , property = ''] = rowOf(id) ?? []
    return toName(resources[id]?.Properties?.[property] ?? `${stack}-${id}-A1B2C3D4E5F6`)
  }
  const toName = (value: unknown): string => {
    if (typeof value === 'string') return value
    const { 'Fn::Join': join, BudgetName: budget } = Object(value)
    if (join !== undefined) return join[1].map((part: unknown) => (typeof part === 'string' ? part : 'ID')).join('')
    const [, referred = ''] = /"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/.exec(JSON.stringify(value)) ?? []
    return budget ?? nameOf(referred)
  }
  const refused = Object.keys(resources).filter(id => {
    const [action = '', arn = ''] = rowOf(id) ?? []
    return !isAllowed(action, arn.replace('NAME', nameOf(id)))
  })
  expect(refused).toEqual([])
})

const qualifier = cdk.context['@aws-cdk/core:bootstrapQualifier']
const stage = `${gateway}/restapis/ID/stages/v1`

test.each([
  ['acm:DescribeCertificate', domain.certificateArn],
  ['apigateway:PUT', `${gateway}/tags/ID`],
  ['cloudwatch:DescribeAlarms', '*'],
  ['codedeploy:GetDeploymentConfig', `arn:aws:codedeploy:${here}:deploymentconfig:CodeDeployDefault.LambdaCanary`],
  ['codedeploy:StopDeployment', '*'],
  ['iam:CreateServiceLinkedRole', `${roles}/aws-service-role/ops.apigateway.amazonaws.com/AWSServiceRoleForAPIGateway`],
  ['logs:DescribeLogGroups', '*'],
  ['route53:GetChange', 'arn:aws:route53:::change/ID'],
  ['route53:GetHostedZone', 'arn:aws:route53:::hostedzone/ID'],
  ['s3:GetObject', `arn:aws:s3:::cdk-${qualifier}-assets-111122223333-eu-west-1/ID.zip`],
  ['sns:GetSubscriptionAttributes', '*'],
  ['sns:Unsubscribe', '*'],
  ['ssm:GetParameters', `arn:aws:ssm:${here}:parameter/cdk-bootstrap/${qualifier}/version`],
  ['wafv2:DisassociateWebACL', stage],
  ['wafv2:GetWebACLForResource', stage],
])('besides, the policy allows %s on %s', (action, arn) => expect(isAllowed(action, arn)).toBe(true))

/** What the policy allows beyond the names of ours, with the reason. */
const exceptions = {
  'arn:aws:apigateway:*::/account': 'Each region of an account has one.',
  'arn:aws:apigateway:*::/domainnames': 'Domain names are created there.',
  'arn:aws:apigateway:*::/domainnames/*': 'The name is the owner’s.',
  'arn:aws:apigateway:*::/restapis': 'REST APIs are created there.',
  'arn:aws:apigateway:*::/restapis/*': 'API Gateway generates the id.',
  'arn:aws:apigateway:*::/restapis/*/stages/*': 'API Gateway generates the id. WAF alone is allowed there.',
  'arn:aws:apigateway:*::/tags/*': 'An encoded ARN of one of these.',
  'arn:aws:codedeploy:*:*:deploymentconfig:CodeDeployDefault.*': 'AWS’s own. They can be read.',
  'arn:aws:iam::*:role/aws-service-role/ops.apigateway.amazonaws.com/*': 'AWS’s own. It can be created.',
  'arn:aws:logs:*:*:log-group:API-Gateway-Execution-Logs_*': 'API Gateway determines the name.',
  'arn:aws:route53:::hostedzone/*': 'Route 53 generates the id. Records alone can be changed.',
  '*': 'These actions have no resource, or read only. See the next test.',
}

test('beyond the names that begin with `price-lookup-`, the policy reaches the exceptions alone', () => {
  const ofOurs = /[:/](price-lookup[-/]\*|cdk-pricelook-assets-\*|cdk-bootstrap\/pricelook\/version)$/
  const resources = statements.flatMap(({ Resource }) => Resource)
  expect(new Set(resources.filter(arn => !ofOurs.test(arn)))).toEqual(new Set(Object.keys(exceptions)))
})

test('on every resource, the policy allows to read, and what has no resource in AWS’s reference', () => {
  expect(statements.filter(({ Resource }) => Resource === '*').flatMap(({ Action }) => Action)).toEqual([
    'acm:DescribeCertificate',
    'cloudwatch:DescribeAlarms',
    'codedeploy:StopDeployment',
    'logs:Describe*',
    'route53:Get*',
    'route53:List*',
    'sns:GetSubscriptionAttributes',
    'sns:SetSubscriptionAttributes',
    'sns:Unsubscribe',
  ])
})

test.each([
  ['iam:PutRolePolicy', `${roles}/github-price-lookup-prod`],
  ['iam:PutRolePolicy', `${roles}/cdk-${qualifier}-deploy-role-111122223333-eu-west-1`],
  ['lambda:UpdateFunctionCode', `arn:aws:lambda:${here}:function:other-price-lookup-prod`],
  ['route53:DeleteHostedZone', 'arn:aws:route53:::hostedzone/ID'],
  ['s3:GetObject', 'arn:aws:s3:::other/ID'],
  ['ssm:GetParameters', `arn:aws:ssm:${here}:parameter/other/price-lookup/secret`],
])('the policy does not allow %s on %s', (action, arn) => expect(isAllowed(action, arn)).toBe(false))

/** @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html */
test('the policy is below the limit of a managed policy, 6,144 characters without white space', () => {
  const text = readFileSync('infra/execution-policy.json', 'utf8')
  expect(text.replaceAll(/\s/g, '').length).toBeLessThanOrEqual(6_144)
})
