import { Validations } from 'aws-cdk-lib'
import type { RestApi } from 'aws-cdk-lib/aws-apigateway'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import {
  type Function as CloudFrontFunction,
  Distribution,
  type DistributionProps,
  HttpVersion,
  OriginSslPolicy,
  PriceClass,
  SecurityPolicyProtocol,
} from 'aws-cdk-lib/aws-cloudfront'
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins'
import { CfnDelivery, CfnDeliveryDestination, CfnDeliverySource, LogGroup } from 'aws-cdk-lib/aws-logs'
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { addDnsRecords } from '../api/custom-domain.ts'
import { createEdgeRateAcl, protectStage, secretHeader } from '../api/web-acl.ts'
import type { NamedEnvironment } from '../environments.ts'
import { toRetention } from '../monitoring/logs.ts'
import { createCaching, createCanonicalRequest } from './caching.ts'

/** The distribution before an API (D27), and its function. */
export interface Edge {
  readonly distribution: Distribution
  readonly canonicalRequest: CloudFrontFunction
}

/**
 * Adds a CloudFront distribution before an API.
 *
 * It refers to the API but not to its stage, which depends on the functions, whose URL is the distribution's.
 */
export function addEdge(api: RestApi, stageName: string, environment: NamedEnvironment): Edge {
  const { region, urlSuffix } = api.stack
  const { name, domain, edge } = environment
  if (region !== 'us-east-1')
    throw new Error(`${name} has an edge, so its region must be us-east-1: see docs/operations.md, "Edge".`)
  const secret = createSecret(api)
  const canonicalRequest = createCanonicalRequest(api, name)
  const origin = new HttpOrigin(`${api.restApiId}.execute-api.${region}.${urlSuffix}`, {
    originPath: `/${stageName}`,
    originSslProtocols: [OriginSslPolicy.TLS_V1_2],
    originShieldRegion: region,
    customHeaders: { [secretHeader]: secret },
  })
  const distribution = new Distribution(api, 'Edge', {
    comment: `Price Lookup ${name}`,
    ...createCaching(api, origin, canonicalRequest),
    httpVersion: HttpVersion.HTTP2_AND_3,
    // North America and Europe, the cheapest. Callers elsewhere are served from there.
    priceClass: PriceClass.PRICE_CLASS_100,
    // For the latency of the origin and the hit rate.
    publishAdditionalMetrics: true,
    ...createDomain(api, environment),
    ...createWebAcl(api, environment),
  })
  acknowledgeFindings(distribution, environment)
  // After the distribution, which sends the header as soon as it is deployed.
  protectStage(api, environment, secret)?.node.addDependency(distribution)
  if (domain !== undefined)
    addDnsRecords(api, domain, new CloudFrontTarget(distribution), distribution.distributionDomainName)
  if (edge?.accessLogs) addLog(distribution, environment)
  return { distribution, canonicalRequest }
}

/** Creates the secret, and returns a reference to its value, which CloudFormation resolves. */
function createSecret(api: RestApi): string {
  const secret = new Secret(api, 'OriginSecret', {
    description: `Proves to the API that a request comes from the distribution (${secretHeader})`,
    generateSecretString: { passwordLength: 64, excludePunctuation: true },
  })
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions::AwsSolutions-SMG4',
    reason:
      'The secret gives access to nothing but what the distribution serves to everyone. A rotation needs a deployment.',
  })
  return secret.secretValue.unsafeUnwrap()
}

function createDomain(api: RestApi, { domain }: NamedEnvironment): Partial<DistributionProps> {
  if (domain === undefined) return {}
  return {
    domainNames: [domain.name],
    certificate: Certificate.fromCertificateArn(api, 'EdgeCertificate', domain.certificateArn),
    minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
  }
}

function createWebAcl(api: RestApi, { name, maxRequestsPerAddress }: NamedEnvironment): Partial<DistributionProps> {
  if (maxRequestsPerAddress === undefined) return {}
  return { webAclId: createEdgeRateAcl(api, name, maxRequestsPerAddress).attrArn }
}

function acknowledgeFindings(distribution: Distribution, { domain, maxRequestsPerAddress }: NamedEnvironment): void {
  const accept = (rule: string, reason: string) =>
    Validations.of(distribution).acknowledge({ id: `AwsSolutions::AwsSolutions-${rule}`, reason })
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

/** Writes one line per request to the distribution into a log group. */
function addLog(distribution: Distribution, environment: NamedEnvironment): void {
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
  delivery.addResourceDependency(source)
}

/** The fields of a line. As in the API's access log, none is the caller's address, which is personal data. */
const recordFields = [
  'date',
  'time',
  'x-edge-location',
  'cs-method',
  'cs-uri-stem',
  'cs-uri-query',
  'sc-status',
  'sc-bytes',
  'time-taken',
  'x-edge-result-type',
  'x-edge-detailed-result-type',
  'cs-protocol-version',
  'ssl-protocol',
]
