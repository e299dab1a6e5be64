import type { RestApi } from 'aws-cdk-lib/aws-apigateway'
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2'
import type { Construct } from 'constructs'
import { cors } from '../../lambda/headers.ts'
import { Problem } from '../../lambda/problems.ts'

/** The header by which an edge proves that a request comes through it. */
interface OriginSecret {
  readonly header: string
  readonly value: string
}

/**
 * Creates a web ACL for an API that refuses an IP address with too many requests in five minutes.
 *
 * That is its only rule, because every request that it refuses gets `too-many-requests` (the gateway response `WAF_FILTERED`).
 *
 * @param secret of an edge, whose requests are not counted: they come from few addresses
 */
export function createRateRule(
  scope: Construct,
  environment: string,
  limit: number,
  secret: OriginSecret | undefined,
): CfnWebACL {
  const scopeDownStatement = secret && { notStatement: { statement: toSecretMatch(secret) } }
  // A sample has the headers of a request, and so the secret of an edge.
  const isSampled = secret === undefined
  return new CfnWebACL(scope, 'WebAcl', {
    name: `price-lookup-${environment}`,
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: toVisibility(`price-lookup-${environment}`, isSampled),
    rules: [toRateRule(environment, { limit, ...(scopeDownStatement && { scopeDownStatement }) }, {}, isSampled)],
  })
}

/** Creates the same web ACL for a distribution, which has no gateway response. AWS sets the content type: `application/json`. */
export function createEdgeRateRule(scope: Construct, environment: string, limit: number): CfnWebACL {
  const { document, retryAfterSeconds } = new Problem('too-many-requests')
  const responseHeaders = Object.entries({
    'Access-Control-Allow-Origin': cors.origin,
    'Access-Control-Expose-Headers': cors.exposeHeaders,
    'Cache-Control': 'no-store',
    'Retry-After': String(retryAfterSeconds),
  }).map(([name, value]) => ({ name, value }))
  const customResponse = { responseCode: document.status, customResponseBodyKey: 'problem', responseHeaders }
  return new CfnWebACL(scope, 'EdgeWebAcl', {
    name: `price-lookup-${environment}`,
    scope: 'CLOUDFRONT',
    defaultAction: { allow: {} },
    visibilityConfig: toVisibility(`price-lookup-${environment}-edge`, true),
    rules: [toRateRule(environment, { limit }, { customResponse }, true)],
    customResponseBodies: { problem: { contentType: 'APPLICATION_JSON', content: JSON.stringify(document) } },
  })
}

/** Creates a web ACL for an API that refuses every request without a header of this value. */
export function createOriginRule(scope: Construct, environment: string, secret: OriginSecret): CfnWebACL {
  const metric = `price-lookup-${environment}-origin`
  return new CfnWebACL(scope, 'OriginWebAcl', {
    scope: 'REGIONAL',
    defaultAction: { block: {} },
    visibilityConfig: toVisibility(metric, false),
    rules: [
      {
        name: 'from-the-edge',
        priority: 0,
        action: { allow: {} },
        statement: toSecretMatch(secret),
        visibilityConfig: toVisibility(`${metric}-from-the-edge`, false),
      },
    ],
  })
}

/** Lets a web ACL inspect all requests to the stage of an API. */
export function protectStage(api: RestApi, acl: CfnWebACL): CfnWebACLAssociation {
  const { stageArn } = api.deploymentStage
  return new CfnWebACLAssociation(api, 'WebAclAssociation', { resourceArn: stageArn, webAclArn: acl.attrArn })
}

function toSecretMatch({ header, value }: OriginSecret): CfnWebACL.StatementProperty {
  return {
    byteMatchStatement: {
      fieldToMatch: { singleHeader: { Name: header.toLowerCase() } },
      positionalConstraint: 'EXACTLY',
      searchString: value,
      textTransformations: [{ priority: 0, type: 'NONE' }],
    },
  }
}

function toRateRule(
  environment: string,
  counted: Pick<CfnWebACL.RateBasedStatementProperty, 'limit' | 'scopeDownStatement'>,
  block: CfnWebACL.BlockActionProperty,
  isSampled: boolean,
): CfnWebACL.RuleProperty {
  return {
    name: 'too-many-requests',
    priority: 0,
    action: { block },
    statement: { rateBasedStatement: { aggregateKeyType: 'IP', evaluationWindowSec: 300, ...counted } },
    visibilityConfig: toVisibility(`price-lookup-${environment}-too-many-requests`, isSampled),
  }
}

/** @param sampledRequestsEnabled whether CloudWatch keeps a sample of the requests for three hours, with addresses and headers */
function toVisibility(metricName: string, sampledRequestsEnabled: boolean): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled }
}
