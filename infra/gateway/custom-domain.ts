import { CfnOutput } from 'aws-cdk-lib'
import {
  CfnBasePathMapping,
  CfnDomainName,
  CfnRestApi,
  EndpointAccessMode,
  EndpointType,
  IpAddressType,
  type RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway'
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53'
import type { CustomDomain } from '../environments.ts'

/**
 * The endpoint of the API and of a custom domain has IPv4 alone (D34). A caller with IPv6 usually has 2^64 addresses,
 * and a rule of AWS WAF counts each address by itself, so its limit would have no effect.
 */
export const endpointConfiguration = { types: [EndpointType.REGIONAL], ipAddressType: IpAddressType.IPV4 }

/**
 * TLS 1.3, or 1.2 with forward secrecy. `STRICT` refuses a request whose `Host` is not the name of its TLS handshake.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-security-policies.html
 */
const tls = {
  securityPolicy: SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09,
  endpointAccessMode: EndpointAccessMode.STRICT,
}

/**
 * Sets the TLS policy of the API, by which API Gateway negotiates for a custom domain too.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-custom-domain-tls-version.html
 */
export function setTlsPolicy(api: RestApi): void {
  // The construct has no property for it.
  if (api.node.defaultChild instanceof CfnRestApi) Object.assign(api.node.defaultChild, tls)
}

/**
 * Serves the API at the root of a custom domain. The target of its DNS record is an output. With a hosted zone, adds
 * the record too.
 */
export function addCustomDomain(api: RestApi, { name, certificateArn, hostedZone }: CustomDomain): void {
  const domain = new CfnDomainName(api, 'Domain', {
    domainName: name,
    regionalCertificateArn: certificateArn,
    endpointConfiguration,
    ...tls,
  })
  const { stageName } = api.deploymentStage
  new CfnBasePathMapping(api, 'DomainMapping', { domainName: domain.ref, restApiId: api.restApiId, stage: stageName })
  new CfnOutput(api.stack, 'DomainTarget', {
    value: domain.attrRegionalDomainName,
    description: `Target of the DNS record of ${name} (CNAME, or alias for A)`,
  })
  if (hostedZone === undefined) return
  new CfnRecordSet(api, 'DomainA', {
    name: `${name}.`,
    type: 'A',
    hostedZoneId: hostedZone,
    aliasTarget: { dnsName: domain.attrRegionalDomainName, hostedZoneId: domain.attrRegionalHostedZoneId },
  })
}
