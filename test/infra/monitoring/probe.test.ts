import { expect, test } from 'vitest'
import { networks } from '../../../api/networks.ts'
import { pauseMs, timeoutMs } from '../../../checks/service/client.ts'
import { allOf, dependenciesOf, everythingOn, prod, resourcesOf, synthesise } from '../../support/infra/synthesise.ts'

const template = synthesise(prod, 'prod')

test('the probe runs every five minutes; a failed run is not repeated, so that its alarm needs two', () => {
  const every = { ScheduleExpression: 'rate(5 minutes)', State: 'ENABLED' }
  const { ProbeSchedule } = resourcesOf(template, 'Events::Rule')
  expect(ProbeSchedule).toMatchObject({ ...every, Targets: [{ Arn: '<Probe.Arn>' }] })
  expect(allOf(template, 'Lambda::EventInvokeConfig')).toContainEqual({
    FunctionName: '<Probe>',
    Qualifier: '$LATEST',
    MaximumRetryAttempts: 0,
  })
})

test('the probe has time for all of its requests, and waits for the stage, to which a domain does not refer', () => {
  const { Probe } = resourcesOf(synthesise(everythingOn), 'Lambda::Function')
  // The list and one price of each network.
  expect(1_000 * Object(Probe).Timeout).toBeGreaterThan(2 * networks.length * (pauseMs + timeoutMs))
  expect(dependenciesOf(synthesise(everythingOn), 'Lambda::Function')['Probe']).toContain('ApiDeploymentStagev1')
})
