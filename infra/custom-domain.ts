import { CfnOutput } from 'aws-cdk-lib'
import { DomainName, EndpointType, type RestApi, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import type { CustomDomain } from './environments.ts'

/** Gives the API a domain of its own, at whose root its routes are, and tells where the domain's DNS record must point. */
export function addCustomDomain(api: RestApi, { name, certificateArn }: CustomDomain): void {
  const domain = new DomainName(api, 'Domain', {
    domainName: name,
    certificate: Certificate.fromCertificateArn(api, 'Certificate', certificateArn),
    endpointType: EndpointType.REGIONAL,
    securityPolicy: SecurityPolicy.TLS_1_2,
  })
  domain.addBasePathMapping(api, { stage: api.deploymentStage })
  new CfnOutput(api.stack, 'DomainTarget', {
    value: domain.domainNameAliasDomainName,
    description: `What the DNS record of ${name} must point to (CNAME, or an alias)`,
  })
}
