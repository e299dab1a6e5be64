import { CfnOutput } from 'aws-cdk-lib'
import {
  CfnDomainName,
  CfnRestApi,
  DomainName,
  EndpointAccessMode,
  EndpointType,
  IpAddressType,
  type RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import { AaaaRecord, ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53'
import { ApiGatewayDomain } from 'aws-cdk-lib/aws-route53-targets'
import type { CustomDomain } from '../environments.ts'

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

/** Serves the API at the root of a custom domain, and adds its DNS records, or their target as an output. */
export function addCustomDomain(api: RestApi, customDomain: CustomDomain): void {
  const { name, certificateArn } = customDomain
  const domain = new DomainName(api, 'Domain', {
    domainName: name,
    certificate: Certificate.fromCertificateArn(api, 'Certificate', certificateArn),
    endpointType: EndpointType.REGIONAL,
    ...tls,
  })
  // The construct has no property for it.
  if (domain.node.defaultChild instanceof CfnDomainName)
    domain.node.defaultChild.addPropertyOverride('EndpointConfiguration.IpAddressType', IpAddressType.DUAL_STACK)
  domain.addBasePathMapping(api, { stage: api.deploymentStage })
  addDnsRecords(api, customDomain, domain)
}

/** Adds the target of a domain's DNS records as an output, and the records if their zone is known. */
function addDnsRecords(api: RestApi, { name, hostedZone }: CustomDomain, domain: DomainName): void {
  new CfnOutput(api.stack, 'DomainTarget', {
    value: domain.domainNameAliasDomainName,
    description: `Target of the DNS records of ${name} (CNAME, or alias for A and AAAA)`,
  })
  if (hostedZone === undefined) return
  const zone = HostedZone.fromHostedZoneAttributes(api, 'Zone', {
    hostedZoneId: hostedZone.id,
    zoneName: hostedZone.name,
  })
  const target = RecordTarget.fromAlias(new ApiGatewayDomain(domain))
  new ARecord(api, 'DomainA', { zone, recordName: `${name}.`, target })
  new AaaaRecord(api, 'DomainAaaa', { zone, recordName: `${name}.`, target })
}
