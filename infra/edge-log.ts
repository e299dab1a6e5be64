import type { Distribution } from 'aws-cdk-lib/aws-cloudfront'
import { CfnDelivery, CfnDeliveryDestination, CfnDeliverySource, LogGroup } from 'aws-cdk-lib/aws-logs'
import type { NamedEnvironment } from './environments.ts'
import { toRetention } from './logs.ts'

/** The fields of a line. The caller's address is personal data, and is left out like in the API's access log. */
const recordFields = [
  ...['date', 'time', 'x-edge-location', 'cs-method', 'cs-uri-stem', 'cs-uri-query', 'sc-status', 'sc-bytes'],
  ...['time-taken', 'x-edge-result-type', 'x-edge-detailed-result-type', 'cs-protocol-version', 'ssl-protocol'],
]

/** Writes one line per request to the distribution into a log group. */
export function addEdgeLog(distribution: Distribution, environment: NamedEnvironment): void {
  const logGroup = new LogGroup(distribution, 'Log', toRetention(environment))
  const name = `price-lookup-${environment.name}-edge`
  const source = new CfnDeliverySource(distribution, 'LogSource', {
    name,
    logType: 'ACCESS_LOGS',
    resourceArn: distribution.distributionArn,
  })
  const destination = new CfnDeliveryDestination(distribution, 'LogDestination', {
    name,
    destinationResourceArn: logGroup.logGroupArn,
    outputFormat: 'json',
  })
  const delivery = new CfnDelivery(distribution, 'LogDelivery', {
    deliverySourceName: name,
    deliveryDestinationArn: destination.attrArn,
    recordFields,
  })
  delivery.addDependency(source)
}
