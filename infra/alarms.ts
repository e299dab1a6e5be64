import type { Stack } from 'aws-cdk-lib'
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import { toConditions, type Watched } from './alarm-conditions.ts'
import { createAlarmTopic } from './alarm-topic.ts'
import type { NamedEnvironment } from './environments.ts'

/** Adds the alarms, and one topic for all of them. */
export function addAlarms(scope: Stack, environment: NamedEnvironment, watched: Watched): readonly Alarm[] {
  const action = new SnsAction(createAlarmTopic(scope, environment))
  return toConditions(watched).map(({ name, description, metric, threshold, periods = 1 }) => {
    const alarm = new Alarm(scope, `Alarm-${name}`, {
      alarmName: `price-lookup-${environment.name}-${name}`,
      alarmDescription: description,
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      // Most of these metrics have no value while nothing fails.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    })
    alarm.addAlarmAction(action)
    return alarm
  })
}
