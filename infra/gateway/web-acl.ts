import { Validations } from 'aws-cdk-lib'
import type { RestApi } from 'aws-cdk-lib/aws-apigateway'
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2'
import type { NamedEnvironment } from '../environments.ts'

/**
 * Adds the web ACL of an API's stage, if its environment has one. It refuses an IP address with too many requests in
 * five minutes.
 *
 * It has no other rule: every request that it refuses gets `too-many-requests` (the gateway response `WAF_FILTERED`).
 */
export function addWebAcl(api: RestApi, { name, maxRequestsPerAddress: limit }: NamedEnvironment): void {
  const stage = api.deploymentStage
  if (limit === undefined) {
    Validations.of(stage).acknowledge({ id: 'AwsSolutions::AwsSolutions-APIG3', reason: withoutWebAcl })
    return
  }
  const acl = new CfnWebACL(api, 'WebAcl', {
    name: `price-lookup-${name}`,
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: toVisibility(`price-lookup-${name}`),
    rules: [
      {
        name: 'too-many-requests',
        priority: 0,
        action: { block: {} },
        statement: { rateBasedStatement: { aggregateKeyType: 'IP', evaluationWindowSec: 300, limit } },
        visibilityConfig: toVisibility(`price-lookup-${name}-too-many-requests`),
      },
    ],
  })
  new CfnWebACLAssociation(api, 'WebAclAssociation', { resourceArn: stage.stageArn, webAclArn: acl.attrArn })
}

const withoutWebAcl =
  'A web ACL is billed by the month and optional per environment. ' +
  'Every method is throttled, and no input is executed, stored or forwarded.'

/** AWS keeps samples of requests for three hours, with addresses and headers. */
function toVisibility(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: true }
}
