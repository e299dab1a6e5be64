import { ArnFormat, type Stack } from 'aws-cdk-lib'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import { acknowledge } from './audit.ts'
import type { NamedEnvironment } from './environments.ts'

/**
 * Creates the topic that tells people of alarms: the address of the environment, if it has one, and whoever subscribes later.
 *
 * SNS keeps messages on encrypted disks by itself. There is no key of our own on top: an alarm holds no secret and leaves as a plain
 * email, and a key that one day refuses CloudWatch would silence every alarm without a sign.
 */
export function createAlarmTopic(scope: Stack, { name, alarmEmail }: NamedEnvironment): Topic {
  const topic = new Topic(scope, 'Alarms', {
    topicName: `price-lookup-${name}-alarms`,
    displayName: `Price Lookup ${name}`,
    enforceSSL: true,
  })
  // Any policy takes the place of SNS's own, which lets the account's alarms in.
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
      'SNS tries to deliver an email for hours by itself. One that still bounces would lie in a queue of which, again, only an alarm could tell; the state of every alarm is on the dashboard.',
    )
  }
  return topic
}

/** The ARN of all alarms of the environment. */
function toAlarmsArn(scope: Stack, name: string): string {
  return scope.formatArn({
    service: 'cloudwatch',
    resource: 'alarm',
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    resourceName: `price-lookup-${name}-*`,
  })
}
