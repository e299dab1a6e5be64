import { Duration } from 'aws-cdk-lib'
import type { RestApi } from 'aws-cdk-lib/aws-apigateway'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import {
  AllowedMethods,
  CachePolicy,
  CacheQueryStringBehavior,
  type Function as CloudFrontFunction,
  Distribution,
  type DistributionProps,
  FunctionEventType,
  HttpVersion,
  OriginSslPolicy,
  PriceClass,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront'
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins'
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { acknowledge } from './audit.ts'
import { addDnsRecords } from './custom-domain.ts'
import { createCanonicalRequest } from './edge-function.ts'
import { addEdgeLog } from './edge-log.ts'
import type { EdgeSettings, NamedEnvironment } from './environments.ts'
import { createEdgeRateRule, createOriginRule, protectStage } from './web-acl.ts'

/** The distribution before an API (D27), and its function. */
export interface Edge {
  readonly distribution: Distribution
  readonly canonicalRequest: CloudFrontFunction
}

/** The header with which the distribution proves to the API that a request comes from it. */
const secretHeader = 'X-Origin-Secret'

/**
 * Adds a CloudFront distribution before an API.
 *
 * It refers to the API but not to its stage, which depends on the functions, whose URL is the distribution's.
 */
export function addEdge(api: RestApi, stageName: string, environment: NamedEnvironment, settings: EdgeSettings): Edge {
  const { stack } = api
  if (stack.region !== 'us-east-1')
    throw new Error(`${environment.name} has an edge, so its region must be us-east-1: see docs/operations.md, "Edge".`)
  const secret = createSecret(api)
  const canonicalRequest = createCanonicalRequest(api, environment.name)
  const behavior = {
    origin: new HttpOrigin(`${api.restApiId}.execute-api.${stack.region}.${stack.urlSuffix}`, {
      originPath: `/${stageName}`,
      originSslProtocols: [OriginSslPolicy.TLS_V1_2],
      originShieldRegion: stack.region,
      customHeaders: { [secretHeader]: secret },
    }),
    // The function answers all methods but three. CloudFront's own refusal would be no problem document, and without CORS.
    allowedMethods: AllowedMethods.ALLOW_ALL,
    viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
    functionAssociations: [{ function: canonicalRequest, eventType: FunctionEventType.VIEWER_REQUEST }],
  }
  const distribution = new Distribution(api, 'Edge', {
    comment: `Price Lookup ${environment.name}`,
    defaultBehavior: { ...behavior, cachePolicy: createCachePolicy(api, 'Documents', Duration.minutes(5)) },
    additionalBehaviors: {
      '/price*': { ...behavior, cachePolicy: createCachePolicy(api, 'Prices', Duration.seconds(10)) },
    },
    errorResponses,
    httpVersion: HttpVersion.HTTP2_AND_3,
    // North America and Europe, at the prices of docs/prices.json. Callers elsewhere are served from there.
    priceClass: PriceClass.PRICE_CLASS_100,
    // For the latency of the origin and the hit rate.
    publishAdditionalMetrics: true,
    ...toDomain(api, environment),
    ...toWebAcl(api, environment),
  })
  acknowledgeFindings(distribution, environment)
  if (settings.isOnlyWay) {
    // After the distribution, which sends the header as soon as it is deployed.
    protectStage(api, createOriginRule(api, environment.name, secretHeader, secret)).node.addDependency(distribution)
  } else
    acknowledge(
      api.deploymentStage,
      'AwsSolutions::AwsSolutions-APIG3',
      'Until the API refuses direct requests, its methods are throttled.',
    )
  if (environment.domain !== undefined)
    addDnsRecords(api, environment.domain, new CloudFrontTarget(distribution), distribution.distributionDomainName)
  if (settings.accessLogs) addEdgeLog(distribution, environment)
  return { distribution, canonicalRequest }
}

/** Creates the secret of the header. Returns a reference, which CloudFormation replaces. */
function createSecret(api: RestApi): string {
  const secret = new Secret(api, 'OriginSecret', {
    description: `Proves to the API that a request comes from the distribution (${secretHeader})`,
    generateSecretString: { passwordLength: 64, excludePunctuation: true },
  })
  acknowledge(
    secret,
    'AwsSolutions::AwsSolutions-SMG4',
    'The secret gives access to nothing but what the distribution serves to everyone. A rotation needs a deployment.',
  )
  return secret.secretValue.unsafeUnwrap()
}

/** Keeps an answer as long as its `Expires` or `max-age` says, up to a maximum, and without one not at all. */
function createCachePolicy(api: RestApi, id: string, maxTtl: Duration): CachePolicy {
  return new CachePolicy(api, id, {
    minTtl: Duration.seconds(0),
    defaultTtl: Duration.seconds(0),
    maxTtl,
    queryStringBehavior: CacheQueryStringBehavior.allowList('network'),
    enableAcceptEncodingGzip: true,
    enableAcceptEncodingBrotli: true,
  })
}

/**
 * No error is cached. CloudFront's default is 10 s for some, although they have `no-store`.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/custom-error-pages-expiration.html
 */
const errorResponses = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504].map(httpStatus => ({
  httpStatus,
  ttl: Duration.seconds(0),
}))

function toDomain(api: RestApi, { domain }: NamedEnvironment): Partial<DistributionProps> {
  if (domain === undefined) return {}
  return {
    domainNames: [domain.name],
    certificate: Certificate.fromCertificateArn(api, 'EdgeCertificate', domain.certificateArn),
    minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
  }
}

function toWebAcl(api: RestApi, { name, maxRequestsPerAddress }: NamedEnvironment): Partial<DistributionProps> {
  if (maxRequestsPerAddress === undefined) return {}
  return { webAclId: createEdgeRateRule(api, name, maxRequestsPerAddress).attrArn }
}

function acknowledgeFindings(distribution: Distribution, { domain, maxRequestsPerAddress }: NamedEnvironment): void {
  const accept = (rule: string, reason: string) =>
    acknowledge(distribution, `AwsSolutions::AwsSolutions-${rule}`, reason)
  accept('CFR1', 'The service is public, for callers of any country.')
  if (maxRequestsPerAddress === undefined)
    accept('CFR2', 'A web ACL is billed by request and optional per environment. What is not cached is throttled.')
  accept(
    'CFR3',
    'The access log is a setting of the environment, and a delivery of its own, without addresses of callers.',
  )
  if (domain === undefined)
    accept('CFR4', "CloudFront's own domain name has a fixed policy, which includes TLS 1.0. A domain sets TLS 1.2.")
}
