import { ArnFormat, type Stack } from 'aws-cdk-lib'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import { acknowledge } from './audit.ts'
import type { NamedEnvironment } from './environments.ts'

/**
 * Creates the topic of the alarms, with the email address of the environment as a subscriber if it has one.
 *
 * SNS stores messages encrypted. The topic has no key of its own: an alarm holds no secret and is sent as a plain email, and a key
 * that refuses CloudWatch would stop every alarm without notice.
 */
export function createAlarmTopic(scope: Stack, { name, alarmEmail }: NamedEnvironment): Topic {
  const topic = new Topic(scope, 'Alarms', {
    topicName: `price-lookup-${name}-alarms`,
    displayName: `Price Lookup ${name}`,
    enforceSSL: true,
  })
  // Any policy replaces the default one, which lets the alarms of the account publish.
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { ArnLike: { 'aws:SourceArn': toAlarmsArn(scope, name) } },
    }),
  )
  if (alarmEmail !== undefined) {
    acknowledge(
      topic.addSubscription(new EmailSubscription(alarmEmail)),
      'Serverless::Serverless-SNSRedrivePolicy',
      'SNS retries an email for hours. Only another alarm could report a dead letter queue of undelivered ones. The dashboard shows the state of every alarm.',
    )
  }
  return topic
}

/** The ARN pattern of all alarms of the environment. */
function toAlarmsArn(scope: Stack, name: string): string {
  return scope.formatArn({
    service: 'cloudwatch',
    resource: 'alarm',
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    resourceName: `price-lookup-${name}-*`,
  })
}
