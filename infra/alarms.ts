import type { Stack } from 'aws-cdk-lib'
import type { Stage } from 'aws-cdk-lib/aws-apigateway'
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import { type Condition, toApiConditions, toFunctionConditions, type WatchedFunction } from './alarm-conditions.ts'
import { createAlarmTopic } from './alarm-topic.ts'
import { toChainConditions } from './chain-conditions.ts'
import type { NamedEnvironment } from './environments.ts'
import type { LogMetrics } from './log-metrics.ts'

/** The sources of the alarms' metrics. */
export interface Watched {
  readonly stage: Stage
  readonly functions: readonly WatchedFunction[]
  readonly metrics: LogMetrics
  /** Conditions of the probe and of the edge, where there is one. */
  readonly others: readonly Condition[]
}

/** Relative to the repository: the stack does not know where it is hosted, and an alarm that is deployed from a tag means that tag's text. */
const runbook = 'docs/operations.md'

/** Adds the alarms, and one topic for all of them. */
export function addAlarms(scope: Stack, environment: NamedEnvironment, watched: Watched): readonly Alarm[] {
  const action = new SnsAction(createAlarmTopic(scope, environment))
  const { stage, functions, metrics, others } = watched
  const conditions = [
    ...toApiConditions(stage, metrics),
    ...functions.flatMap(toFunctionConditions),
    ...toChainConditions(metrics),
    ...others,
  ]
  return conditions.map(({ name, section = name, description, metric, threshold, periods = 1, isBelow = false }) => {
    const alarm = new Alarm(scope, `Alarm-${name}`, {
      alarmName: `price-lookup-${environment.name}-${name}`,
      alarmDescription: `${description} Runbook: ${runbook}#${section}`,
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: isBelow
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      // Most metrics have no value while nothing fails.
      treatMissingData: isBelow ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    })
    alarm.addAlarmAction(action)
    alarm.addOkAction(action)
    return alarm
  })
}
