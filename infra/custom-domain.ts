import { CfnOutput } from 'aws-cdk-lib'
import { DomainName, EndpointType, type RestApi, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import type { CustomDomain } from './environments.ts'

/** Serves the API at the root of a custom domain, and adds the target of the domain's DNS record as an output. */
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
    description: `Target of the DNS record of ${name} (CNAME or alias)`,
  })
}
