import type { RestApi } from 'aws-cdk-lib/aws-apigateway'
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2'
import type { Construct } from 'constructs'
import { cors } from '../../lambda/headers.ts'
import { Problem } from '../../lambda/problems.ts'

/**
 * Creates a web ACL for an API that refuses an IP address with too many requests in five minutes.
 *
 * That is its only rule, because every request that it refuses gets `too-many-requests` (the gateway response `WAF_FILTERED`).
 */
export function createRateRule(scope: Construct, environment: string, maxRequestsPerAddress: number): CfnWebACL {
  return new CfnWebACL(scope, 'WebAcl', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: toVisibility(`price-lookup-${environment}`),
    rules: [toRateRule(environment, maxRequestsPerAddress, {})],
  })
}

/** Creates the same web ACL for a distribution, which has no gateway response. AWS sets the content type: `application/json`. */
export function createEdgeRateRule(scope: Construct, environment: string, maxRequestsPerAddress: number): CfnWebACL {
  const { document, retryAfterSeconds } = new Problem('too-many-requests')
  const responseHeaders = Object.entries({
    'Access-Control-Allow-Origin': cors.origin,
    'Access-Control-Expose-Headers': cors.exposeHeaders,
    'Cache-Control': 'no-store',
    'Retry-After': String(retryAfterSeconds),
  }).map(([name, value]) => ({ name, value }))
  const customResponse = { responseCode: document.status, customResponseBodyKey: 'problem', responseHeaders }
  return new CfnWebACL(scope, 'EdgeWebAcl', {
    scope: 'CLOUDFRONT',
    defaultAction: { allow: {} },
    visibilityConfig: toVisibility(`price-lookup-${environment}-edge`),
    rules: [toRateRule(environment, maxRequestsPerAddress, { customResponse })],
    customResponseBodies: { problem: { contentType: 'APPLICATION_JSON', content: JSON.stringify(document) } },
  })
}

/** Creates a web ACL for an API that refuses every request without a header of this value. */
export function createOriginRule(scope: Construct, environment: string, header: string, value: string): CfnWebACL {
  const metric = `price-lookup-${environment}-origin`
  return new CfnWebACL(scope, 'OriginWebAcl', {
    scope: 'REGIONAL',
    defaultAction: { block: {} },
    visibilityConfig: toVisibility(metric),
    rules: [
      {
        name: 'from-the-edge',
        priority: 0,
        action: { allow: {} },
        statement: {
          byteMatchStatement: {
            fieldToMatch: { singleHeader: { Name: header.toLowerCase() } },
            positionalConstraint: 'EXACTLY',
            searchString: value,
            textTransformations: [{ priority: 0, type: 'NONE' }],
          },
        },
        visibilityConfig: toVisibility(`${metric}-from-the-edge`),
      },
    ],
  })
}

/** Lets a web ACL inspect all requests to the stage of an API. */
export function protectStage(api: RestApi, acl: CfnWebACL): CfnWebACLAssociation {
  const { stageArn } = api.deploymentStage
  return new CfnWebACLAssociation(api, 'WebAclAssociation', { resourceArn: stageArn, webAclArn: acl.attrArn })
}

function toRateRule(environment: string, limit: number, block: CfnWebACL.BlockActionProperty): CfnWebACL.RuleProperty {
  return {
    name: 'too-many-requests',
    priority: 0,
    action: { block },
    statement: { rateBasedStatement: { aggregateKeyType: 'IP', evaluationWindowSec: 300, limit } },
    visibilityConfig: toVisibility(`price-lookup-${environment}-too-many-requests`),
  }
}

function toVisibility(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false }
}
