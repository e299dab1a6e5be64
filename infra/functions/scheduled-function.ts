import { type Duration, Validations } from 'aws-cdk-lib'
import { Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import type { Function as NodeFunction } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import { createNodeFunction, type NodeFunctionProps } from './node-function.ts'

export interface ScheduledFunctionProps
  extends Pick<NodeFunctionProps, 'entry' | 'timeout' | 'logGroup' | 'environment'> {
  readonly rate: Duration
  /** How the operators learn that no run starts. */
  readonly missedRuns: string
}

/** Creates a function that runs at a fixed rate. An alarm counts the runs that failed. */
export function createScheduledFunction(scope: Construct, id: string, props: ScheduledFunctionProps): NodeFunction {
  const { rate, missedRuns, ...options } = props
  const handler = createNodeFunction(scope, id, {
    ...options,
    memorySize: 512,
    // By default, Lambda repeats a failed run after one and three minutes, so one failure would count several times.
    retryAttempts: 0,
  })
  const counted =
    'An alarm counts the runs that failed. A queue would add nothing: the event of a run holds no information.'
  Validations.of(handler).acknowledge(
    { id: 'Serverless::Serverless-LambdaDLQ', reason: counted },
    { id: 'Serverless::Serverless-LambdaAsyncFailureDestination', reason: counted },
  )
  const schedule = new Rule(scope, `${id}Schedule`, {
    schedule: Schedule.rate(rate),
    targets: [new LambdaFunction(handler)],
  })
  Validations.of(schedule).acknowledge({ id: 'Serverless::Serverless-EventBusDLQ', reason: missedRuns })
  return handler
}
