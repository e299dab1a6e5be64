import type { RestApi } from 'aws-cdk-lib/aws-apigateway'
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2'

/**
 * Adds a web ACL that refuses an IP address with too many requests in five minutes.
 *
 * That is its only rule, because every request that it refuses gets `too-many-requests` (the gateway response `WAF_FILTERED`).
 */
export function addRateRule(api: RestApi, environment: string, maxRequestsPerAddress: number): void {
  const toVisibility = (metricName: string) => ({
    metricName,
    cloudWatchMetricsEnabled: true,
    sampledRequestsEnabled: false,
  })
  const acl = new CfnWebACL(api, 'WebAcl', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: toVisibility(`price-lookup-${environment}`),
    rules: [
      {
        name: 'too-many-requests',
        priority: 0,
        action: { block: {} },
        statement: {
          rateBasedStatement: { aggregateKeyType: 'IP', evaluationWindowSec: 300, limit: maxRequestsPerAddress },
        },
        visibilityConfig: toVisibility(`price-lookup-${environment}-too-many-requests`),
      },
    ],
  })
  const { stageArn } = api.deploymentStage
  new CfnWebACLAssociation(api, 'WebAclAssociation', { resourceArn: stageArn, webAclArn: acl.attrArn })
}
