import type { IResource, Method } from 'aws-cdk-lib/aws-apigateway'
import { cors } from '../lambda/cors.ts'
import { acknowledge } from './audit.ts'
import { addFixedAnswer } from './fixed-answer.ts'

/** Acknowledges that a method has no authorization. */
export function acknowledgeOpen(method: Method): void {
  const open =
    'The specification defines a public, read-only API without keys or accounts, for any origin, without private data.'
  acknowledge(method, 'AwsSolutions::AwsSolutions-APIG4', open)
  acknowledge(method, 'AwsSolutions::AwsSolutions-COG4', open)
}

/** Answers CORS preflights: any origin may send any header but `Authorization` (D20). */
export function addPreflight(resource: IResource): void {
  addFixedAnswer(resource, 'OPTIONS', {
    status: 204,
    headers: {
      'Access-Control-Allow-Headers': '*',
      'Access-Control-Allow-Origin': cors.origin,
      'Access-Control-Allow-Methods': 'GET',
      // Seconds: ten minutes.
      'Access-Control-Max-Age': '600',
    },
  })
}
