import type { IResource, Method } from 'aws-cdk-lib/aws-apigateway'
import { acknowledge } from './audit.ts'
import { addFixedAnswer } from './fixed-answer.ts'

/** Acknowledges that anybody may call a method. */
export function acknowledgeOpen(method: Method): void {
  const open =
    'The specification makes this a public, read-only API: no key and no account, any origin, nothing private in it.'
  acknowledge(method, 'AwsSolutions::AwsSolutions-APIG4', open)
  acknowledge(method, 'AwsSolutions::AwsSolutions-COG4', open)
}

/** Answers what a browser asks before it asks for another origin: any may, with any header but `Authorization` (D20). */
export function addPreflight(resource: IResource): void {
  addFixedAnswer(resource, 'OPTIONS', {
    status: 204,
    headers: {
      'Access-Control-Allow-Headers': '*',
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': 'GET',
      // Seconds: ten minutes.
      'Access-Control-Max-Age': '600',
    },
  })
}
