import { Stack } from 'aws-cdk-lib'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import { expect, test } from 'vitest'
import { networks } from '../../../api/networks.ts'
import { limits } from '../../../checks/service/before-allow-traffic.ts'
import { addCanary } from '../../../infra/functions/canary.ts'
import { routes } from '../../support/infra/routes.ts'
import {
  allOf,
  createApp,
  dependenciesOf,
  prod,
  resourcesOf,
  statementsOf,
  synthesise,
  toReadable,
} from '../../support/infra/synthesise.ts'

const template = synthesise(prod, 'prod')
const groups = routes.map(({ handler }) => `Canary${handler.replaceAll('-', '')}`)

test('a new version gets 10 % of the requests for five minutes; three alarms roll it back', () => {
  const deployment = {
    DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
    AlarmConfiguration: {
      Enabled: true,
      Alarms: ['functionerrors', 'notconfigured', 'internal'].map(id => ({ Name: `<Alarm${id}>` })),
    },
    AutoRollbackConfiguration: { Enabled: true, Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM'] },
  }
  expect(allOf(template, 'CodeDeploy::DeploymentGroup')).toEqual(groups.map(() => expect.objectContaining(deployment)))
  const policies = Object.values(template.findResources('AWS::Lambda::Alias')).map(({ UpdatePolicy }) => UpdatePolicy)
  expect(toReadable(policies)).toEqual(
    groups.map(group => ({
      CodeDeployLambdaAliasUpdate: {
        ApplicationName: '<Canary>',
        DeploymentGroupName: `<${group}>`,
        BeforeAllowTrafficHook: '<BeforeAllowTraffic>',
      },
    })),
  )
})

test('an alarm that does not exist is an error', () => {
  using app = createApp()
  const stack = new Stack(app)
  const props = { functions: [], logGroup: new LogGroup(stack, 'Log'), publicBaseUrl: undefined }
  expect(() => addCanary(stack, new Map(), props)).toThrow('watches the alarm function-errors, which does not exist.')
})

test('before a new version gets requests, a function invokes each of them, and reports to CodeDeploy', () => {
  const hook = resourcesOf(template, 'Lambda::Function')['BeforeAllowTraffic']
  const versions = Object.fromEntries(routes.map(({ path, id }) => [path, `<${id}CurrentVersion>`]))
  const { invocationMs, pauseMs, reportMs, reportAttempts } = limits
  // The checks run twice, each with the list and one price of each network.
  const longestMs = 2 * 2 * networks.length * invocationMs + pauseMs + reportAttempts * reportMs
  expect(1_000 * Object(hook).Timeout).toBeGreaterThan(longestMs)
  expect(hook).toMatchObject({ Environment: { Variables: { VERSIONS: JSON.stringify(versions) } } })
  const statements = statementsOf(template, 'BeforeAllowTraffic')
  const allowed = statements.map(({ Action, Resource }) => [Action, [Resource].flat().toSorted()])
  const group = 'arn:<AWS::Partition>:codedeploy:<AWS::Region>:<AWS::AccountId>:deploymentgroup:<Canary>'
  expect(allowed).toEqual([
    [['logs:CreateLogStream', 'logs:PutLogEvents'], ['<RequestLog.Arn>']],
    ['lambda:InvokeFunction', routes.flatMap(({ id }) => [`<${id}.Arn>`, `<${id}.Arn>:*`]).toSorted()],
    ['codedeploy:PutLifecycleEventHookExecutionStatus', groups.map(name => `${group}/<${name}>`).toSorted()],
  ])
})

test('an alias moves after CodeDeploy may invoke the hook, and the hook may invoke the versions', () => {
  const waited = dependenciesOf(template, 'Lambda::Alias')
  for (const [index, { id }] of routes.entries())
    expect(waited[`${id}Aliaslive`]).toEqual([
      'BeforeAllowTraffic',
      `${groups[index]}ServiceRoleDefaultPolicy`,
      `${groups[index]}ServiceRole`,
    ])
  expect(dependenciesOf(template, 'Lambda::Function')['BeforeAllowTraffic']).toContain(
    'BeforeAllowTrafficRoleDefaultPolicy',
  )
})
