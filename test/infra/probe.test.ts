import { expect, test } from 'vitest'
import { environments } from '../../infra/environments.ts'
import { allOf, domain, resourcesOf, synthesise } from './synthesise.ts'

const { Probe: probe } = resourcesOf(synthesise(environments.prod, 'prod'), 'Lambda::Function')

test('the probe runs every five minutes, and writes to the request log', () => {
  const template = synthesise(environments.prod, 'prod')
  expect(allOf(template, 'Events::Rule')).toEqual([
    { ScheduleExpression: 'rate(5 minutes)', State: 'ENABLED', Targets: [{ Arn: '<Probe.Arn>', Id: 'Target0' }] },
  ])
  expect(probe).toMatchObject({ LoggingConfig: { LogGroup: '<RequestLog>' }, Role: '<ProbeRole.Arn>', Timeout: 85 })
  const ofProbe = allOf(template, 'IAM::Policy').filter(({ Roles }) => String(Roles) === '<ProbeRole>')
  expect(ofProbe).toMatchObject([
    {
      PolicyDocument: {
        Statement: [{ Action: ['logs:CreateLogStream', 'logs:PutLogEvents'], Resource: '<RequestLog.Arn>' }],
      },
    },
  ])
})

test('a failed run is not repeated, so that the alarm needs two runs that failed', () => {
  expect(allOf(synthesise(environments.prod, 'prod'), 'Lambda::EventInvokeConfig')).toEqual([
    { FunctionName: '<Probe>', Qualifier: '$LATEST', MaximumRetryAttempts: 0 },
  ])
})

test.each([
  [
    'API Gateway’s own URL',
    undefined,
    'https://<Api>.execute-api.<AWS::Region>.<AWS::URLSuffix>/<ApiDeploymentStagev1>',
  ],
  ['the domain once it is public', { ...domain, phase: 'public' } as const, 'https://prices.example'],
])('the probe asks %s', (_, one, url) => {
  const template = synthesise({ ...environments.prod, domain: one }, 'prod')
  expect(resourcesOf(template, 'Lambda::Function')['Probe']).toMatchObject({
    Environment: { Variables: { PUBLIC_BASE_URL: url } },
  })
})

test('an environment without a probe has neither its function nor its alarms', () => {
  const template = synthesise(environments.staging, 'staging')
  expect(resourcesOf(template, 'Lambda::Function')).not.toHaveProperty('Probe')
  expect(Object.keys(resourcesOf(template, 'CloudWatch::Alarm')).join()).not.toContain('probe')
})
