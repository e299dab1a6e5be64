import { Duration, type Stack, Validations } from 'aws-cdk-lib'
import type { Stage } from 'aws-cdk-lib/aws-apigateway'
import { Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import type { Function as NodeFunction } from 'aws-cdk-lib/aws-lambda'
import type { LogGroup } from 'aws-cdk-lib/aws-logs'
import { networks } from '../../api/networks.ts'
import { variables } from '../../lambda/settings.ts'
import { createNodeFunction } from '../functions/node-function.ts'

interface ProbeProps {
  /** The URL at which callers find the API. */
  readonly baseUrl: string
  readonly stage: Stage
  readonly logGroup: LogGroup
}

/**
 * Adds a function that checks the public URL every five minutes (`smoke/probe.ts`).
 *
 * CloudWatch Synthetics would run the checks in a function too, for $10 a month, with a bucket and a runtime of its own.
 */
export function addProbe(scope: Stack, { baseUrl, stage, logGroup }: ProbeProps): NodeFunction {
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
    reason: 'The alarm `probe-silent` notifies the operators when no run starts.',
  })
  return probe
}
