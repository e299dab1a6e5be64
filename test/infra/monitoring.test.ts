import { Match } from 'aws-cdk-lib/assertions'
import { test } from 'vitest'
import { monitor } from './monitor.ts'
import { everythingOn } from './synthesise.ts'

test('what is monitored carries the name of the environment, so that two live side by side', () => {
  const other = monitor(everythingOn, { name: 'other' })
  other.allResourcesProperties('AWS::CloudWatch::Alarm', { AlarmName: Match.stringLikeRegexp('^price-lookup-other-') })
  other.hasResourceProperties('AWS::CloudWatch::Dashboard', { DashboardName: 'price-lookup-other' })
  other.hasResourceProperties('AWS::SNS::Topic', { TopicName: 'price-lookup-other-alarms' })
  other.allResourcesProperties('AWS::Logs::MetricFilter', {
    MetricTransformations: [Match.objectLike({ MetricNamespace: 'PriceLookup/other' })],
  })
})
