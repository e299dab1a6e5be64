import { expect, test } from 'vitest'
import { routes } from '../../support/infra/routes.ts'
import { allOf, domain, everythingOn, outputsOf, resourcesOf, synthesise } from '../../support/infra/synthesise.ts'

const on = synthesise(everythingOn)

test('a domain has the routes at its root', () => {
  expect(allOf(on, 'ApiGateway::DomainName')).toMatchObject([
    { DomainName: 'prices.example', RegionalCertificateArn: domain.certificateArn },
  ])
  expect(allOf(on, 'ApiGateway::BasePathMapping')).toEqual([
    { DomainName: '<ApiDomain>', RestApiId: '<Api>', Stage: '<ApiDeploymentStagev1>' },
  ])
})

test('with a hosted zone, the stack makes a record of IPv4; without, only its target is an output (D34)', () => {
  const record = {
    Name: 'prices.example.',
    Type: 'A',
    HostedZoneId: 'Z0000000000000000000',
    AliasTarget: { DNSName: '<ApiDomain.RegionalDomainName>', HostedZoneId: '<ApiDomain.RegionalHostedZoneId>' },
  }
  expect(allOf(on, 'Route53::RecordSet')).toEqual([record])
  const byHand = synthesise({ ...everythingOn, domain: { ...domain, hostedZone: undefined } })
  expect(allOf(byHand, 'Route53::RecordSet')).toEqual([])
  for (const template of [on, byHand])
    expect(outputsOf(template)).toMatchObject({ DomainTarget: { Value: '<ApiDomain.RegionalDomainName>' } })
})

test('a domain is the URL of the output and the functions, and API Gateway’s own stays on (D18b)', () => {
  const baseUrl = 'https://prices.example'
  expect(outputsOf(on)).toMatchObject({ BaseUrl: { Value: baseUrl } })
  const [api] = allOf(on, 'ApiGateway::RestApi')
  expect(api).not.toHaveProperty('DisableExecuteApiEndpoint')
  const functions = resourcesOf(on, 'Lambda::Function')
  for (const id of [...routes.map(({ id }) => id), 'Probe', 'BeforeAllowTraffic'])
    expect(functions[id]).toMatchObject({ Environment: { Variables: { PUBLIC_BASE_URL: baseUrl } } })
})
