import { createDescription } from '../../api/openapi.ts'
import { createExamples } from './examples.ts'

/**
 * Formats the description of the API as compact JSON.
 *
 * It is ASCII, so that no encoding in CloudFormation or API Gateway can change it.
 */
export function formatDescription(): string {
  return JSON.stringify(createDescription(createExamples())).replaceAll(
    /[\u0080-\uffff]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
