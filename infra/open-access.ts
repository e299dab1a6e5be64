import { Duration } from 'aws-cdk-lib'
import { Cors, type IResource, type Method } from 'aws-cdk-lib/aws-apigateway'
import { acknowledge } from './audit.ts'

/** Acknowledges that anybody may call a method. */
export function acknowledgeOpen(method: Method): void {
  const open =
    'The specification makes this a public, read-only API: no key and no account, any origin, nothing private in it.'
  acknowledge(method, 'AwsSolutions::AwsSolutions-APIG4', open)
  acknowledge(method, 'AwsSolutions::AwsSolutions-COG4', open)
}

/** Answers what a browser asks before it asks for another origin: any may, with any header but `Authorization` (D20). */
export function addPreflight(resource: IResource): void {
  resource.addCorsPreflight({
    allowOrigins: Cors.ALL_ORIGINS,
    allowMethods: ['GET'],
    allowHeaders: ['*'],
    maxAge: Duration.minutes(10),
  })
}
