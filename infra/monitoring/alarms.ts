import { ArnFormat, type Stack, Validations } from 'aws-cdk-lib'
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import type { NamedEnvironment } from '../environments.ts'

/** `page`: the alarm needs a person at night. `ticket`: it can wait until the morning. Each of the two has a topic. */
type Urgency = keyof NamedEnvironment['alarmEmails']

/** The condition of an alarm: a metric is at or above its threshold in a number of the last periods. */
export interface Condition {
  readonly name: string
  /** The heading of its section in `docs/operations.md`, if that is not its name. */
  readonly section?: string
  readonly urgency: Urgency
  /** The meaning and the first action, for the email. */
  readonly description: string
  readonly metric: IMetric
  readonly threshold: number
  /**
   * The number of the last periods that the alarm evaluates; 1 by default. A period without a value is not one of them:
   * the alarm takes an older one in its place, so three periods can be within some 25 minutes.
   */
  readonly periods?: number
  /** In how many of these periods the metric must meet the condition; in all of them by default. */
  readonly datapointsToAlarm?: number
  /**
   * Whether the condition is the reverse: the metric is below its threshold, or has no value. By default, a metric
   * without a value does not meet the condition.
   */
  readonly isBelow?: boolean
}

/** The alarms by the names of their conditions. */
export type Alarms = ReadonlyMap<string, Alarm>

/**
 * The path of the runbook in the repository, whose address the stack does not have. The text of the deployed tag
 * applies.
 */
const runbook = 'docs/operations.md'

export function addAlarms(scope: Stack, environment: NamedEnvironment, conditions: readonly Condition[]): Alarms {
  const actions = {
    page: new SnsAction(createTopic(scope, environment, 'page')),
    ticket: new SnsAction(createTopic(scope, environment, 'ticket')),
  }
  const alarms = conditions.map(condition => {
    const { name, section = name, description, metric, threshold, periods = 1, isBelow = false } = condition
    const { datapointsToAlarm } = condition
    const alarm = new Alarm(scope, `Alarm-${name}`, {
      alarmName: `price-lookup-${environment.name}-${name}`,
      alarmDescription: `${description} Runbook: ${runbook}#${section}`,
      metric,
      threshold,
      evaluationPeriods: periods,
      ...(datapointsToAlarm === undefined ? {} : { datapointsToAlarm }),
      comparisonOperator: isBelow
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      // Most metrics have no value while nothing fails.
      treatMissingData: isBelow ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    })
    alarm.addAlarmAction(actions[condition.urgency])
    alarm.addOkAction(actions[condition.urgency])
    return [name, alarm] as const
  })
  return new Map(alarms)
}

/**
 * Creates a topic, with the email address of the environment as a subscriber if it has one.
 *
 * SNS stores messages encrypted. The topic has no key of its own: an alarm holds no secret and is sent as plain email,
 * and a key that refuses CloudWatch would stop every alarm without notice.
 */
function createTopic(scope: Stack, { name, alarmEmails }: NamedEnvironment, urgency: Urgency): Topic {
  const { [urgency]: email } = alarmEmails
  const topic = new Topic(scope, `Alarms-${urgency}`, {
    topicName: `price-lookup-${name}-${urgency}`,
    displayName: `Price Lookup ${name} (${urgency})`,
    enforceSSL: true,
  })
  const resourceName = `price-lookup-${name}-*`
  const alarmsArn = { service: 'cloudwatch', resource: 'alarm', arnFormat: ArnFormat.COLON_RESOURCE_NAME, resourceName }
  // Any policy replaces the default one, with which the alarms of the account may publish.
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { ArnLike: { 'aws:SourceArn': scope.formatArn(alarmsArn) } },
    }),
  )
  if (email !== undefined) {
    Validations.of(topic.addSubscription(new EmailSubscription(email))).acknowledge({
      id: 'Serverless::Serverless-SNSRedrivePolicy',
      reason:
        'SNS retries an email for hours. Only another alarm could report a dead letter queue of undelivered ones. ' +
        "CloudWatch's console shows the state of every alarm.",
    })
  }
  return topic
}
