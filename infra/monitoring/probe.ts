import { Duration, type Stack, Validations } from 'aws-cdk-lib'
import type { Stage } from 'aws-cdk-lib/aws-apigateway'
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch'
import { Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import type { Function as NodeFunction } from 'aws-cdk-lib/aws-lambda'
import type { LogGroup } from 'aws-cdk-lib/aws-logs'
import { networks } from '../../api/networks.ts'
import { variables } from '../../lambda/settings.ts'
import { createNodeFunction } from '../functions/node-function.ts'
import type { Condition } from './alarms.ts'

/**
 * Adds a function that checks the public URL every five minutes (`smoke/probe.ts`). Returns its alarms' conditions.
 *
 * CloudWatch Synthetics would run them in a function too, for $10 a month, with a bucket and a runtime of its own.
 */
export function addProbe(scope: Stack, baseUrl: string, stage: Stage, logGroup: LogGroup): readonly Condition[] {
  const probe = createNodeFunction(scope, 'Probe', {
    entry: 'smoke/probe.ts',
    memorySize: 512,
    // Two requests for each network, one after another, of at most 15 s each.
    timeout: Duration.seconds(15 * 2 * networks.length + 10),
    // By default, Lambda repeats a failed run after one and three minutes, so one failure could fill two periods.
    retryAttempts: 0,
    logGroup,
    environment: { [variables.publicBaseUrl]: baseUrl },
  })
  // With a domain, the URL does not refer to the stage. A new probe would check the previous API until the canary ends.
  probe.node.addDependency(stage)
  const counted =
    'An alarm counts the runs that failed. A queue would add nothing: the event of a run holds no information.'
  Validations.of(probe).acknowledge(
    { id: 'Serverless::Serverless-LambdaDLQ', reason: counted },
    { id: 'Serverless::Serverless-LambdaAsyncFailureDestination', reason: counted },
  )
  const schedule = new Rule(scope, 'ProbeSchedule', {
    schedule: Schedule.rate(Duration.minutes(5)),
    targets: [new LambdaFunction(probe)],
  })
  Validations.of(schedule).acknowledge({
    id: 'Serverless::Serverless-EventBusDLQ',
    reason: 'An alarm rings when no run starts.',
  })
  return toConditions(probe)
}

function toConditions(probe: NodeFunction): readonly Condition[] {
  const period = Duration.minutes(5)
  return [
    {
      name: 'probe-failed',
      section: 'probe',
      urgency: 'page',
      description:
        'Two runs of the probe in a row have failed at the public URL. Its lines in the request log name the checks.',
      metric: probe.metricErrors({ period }),
      threshold: 1,
      periods: 2,
    },
    {
      name: 'probe-silent',
      section: 'probe',
      urgency: 'page',
      description:
        'The probe has not run for 15 minutes. Check its schedule, its function and the quota of the account.',
      // Filled: in place of missing values, an alarm takes older ones, and would ring after 25 minutes or more.
      metric: new MathExpression({
        expression: 'FILL(runs, 0)',
        usingMetrics: { runs: probe.metricInvocations({ period }) },
        label: 'Runs of the probe',
        period,
      }),
      threshold: 1,
      periods: 3,
      isBelow: true,
    },
  ]
}
