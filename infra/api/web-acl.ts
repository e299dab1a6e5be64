import { Validations } from 'aws-cdk-lib'
import type { RestApi } from 'aws-cdk-lib/aws-apigateway'
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2'
import type { Construct } from 'constructs'
import { cors } from '../../lambda/headers.ts'
import { Problem } from '../../lambda/problems.ts'
import type { NamedEnvironment } from '../environments.ts'

/** The header with which an edge proves to the API that a request comes through it. */
export const secretHeader = 'X-Origin-Secret'

/**
 * Adds the web ACL of an API's stage, if its environment has one: it refuses all requests that do not come through the
 * edge, if that is the only way, and otherwise an IP address with too many requests in five minutes.
 *
 * @param secret of the edge; undefined without one
 */
export function protectStage(
  api: RestApi,
  environment: NamedEnvironment,
  secret: string | undefined,
): CfnWebACLAssociation | undefined {
  const stage = api.deploymentStage
  const acl = createStageAcl(api, environment, secret)
  if (acl !== undefined)
    return new CfnWebACLAssociation(api, 'WebAclAssociation', { resourceArn: stage.stageArn, webAclArn: acl.attrArn })
  Validations.of(stage).acknowledge({ id: 'AwsSolutions::AwsSolutions-APIG3', reason: withoutWebAcl })
  return undefined
}

const withoutWebAcl =
  'A web ACL is billed by the month and optional per environment. ' +
  'Every method is throttled, and no input is executed, stored or forwarded.'

function createStageAcl(
  api: RestApi,
  { name, edge, maxRequestsPerAddress }: NamedEnvironment,
  secret: string | undefined,
): CfnWebACL | undefined {
  if (edge?.isOnlyWay && secret !== undefined) return createOriginAcl(api, name, secret)
  if (maxRequestsPerAddress === undefined) return undefined
  return createRateAcl(api, name, maxRequestsPerAddress, secret)
}

/**
 * Creates a web ACL with a rate rule.
 *
 * It has no other rule: every request that it refuses gets `too-many-requests` (the gateway response `WAF_FILTERED`).
 *
 * @param secret of an edge, whose requests are not counted: they come from few addresses
 */
function createRateAcl(scope: Construct, environment: string, limit: number, secret: string | undefined): CfnWebACL {
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

/**
 * Creates the web ACL with a rate rule for a distribution.
 *
 * It has no gateway response, so the web ACL has the problem. AWS sets the content type: `application/json`.
 */
export function createEdgeRateAcl(scope: Construct, environment: string, limit: number): CfnWebACL {
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

/** Creates a web ACL that refuses every request without the secret. */
function createOriginAcl(scope: Construct, environment: string, secret: string): CfnWebACL {
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

function toSecretMatch(secret: string): CfnWebACL.StatementProperty {
  return {
    byteMatchStatement: {
      fieldToMatch: { singleHeader: { Name: secretHeader.toLowerCase() } },
      positionalConstraint: 'EXACTLY',
      searchString: secret,
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

/** @param sampledRequestsEnabled whether AWS keeps samples of requests for three hours, with addresses and headers */
function toVisibility(metricName: string, sampledRequestsEnabled: boolean): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled }
}
