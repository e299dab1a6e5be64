import type { RestApi } from 'aws-cdk-lib/aws-apigateway'
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2'

/**
 * Puts a web ACL before the API which refuses an address that sends too many requests in five minutes.
 *
 * It has that one rule, so that whatever it refuses is `too-many-requests` (the gateway response `WAF_FILTERED`).
 */
export function addRateRule(api: RestApi, maxRequestsPerAddress: number): void {
  const toVisibility = (metricName: string) => ({
    metricName,
    cloudWatchMetricsEnabled: true,
    sampledRequestsEnabled: false,
  })
  const acl = new CfnWebACL(api, 'WebAcl', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: toVisibility('price-lookup'),
    rules: [
      {
        name: 'too-many-requests',
        priority: 0,
        action: { block: {} },
        statement: {
          rateBasedStatement: { aggregateKeyType: 'IP', evaluationWindowSec: 300, limit: maxRequestsPerAddress },
        },
        visibilityConfig: toVisibility('too-many-requests'),
      },
    ],
  })
  const { stageArn } = api.deploymentStage
  new CfnWebACLAssociation(api, 'WebAclAssociation', { resourceArn: stageArn, webAclArn: acl.attrArn })
}
