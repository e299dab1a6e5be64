import type { IResource, RestApi } from 'aws-cdk-lib/aws-apigateway'
import { exampleBaseUrl } from '../../api/schemas/openapi.ts'
import { buildDocuments, type Document } from '../../pages/documents.ts'
import { addFixedResponse, addPreflight } from './methods.ts'

/**
 * Serves the board, the reference and the API's description without a function (D26).
 *
 * @param baseUrl replaces that of the documents. It may be a reference, which CloudFormation resolves.
 * @param basePath the path of the base URL
 */
export function addDocuments(api: RestApi, baseUrl: string, basePath: string): void {
  for (const document of buildDocuments(basePath))
    addDocument(api.root.resourceForPath(document.path), document, baseUrl)
}

/**
 * Limit of a mapping template, in bytes.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
 */
const maxTemplateBytes = 300_000

/** Adds a document. @throws if its template exceeds API Gateway's limit */
export function addDocument(resource: IResource, { headers, body }: Omit<Document, 'path'>, baseUrl: string): void {
  const template = toVelocityTemplate(body).replaceAll(exampleBaseUrl, baseUrl)
  if (Buffer.byteLength(template) > maxTemplateBytes)
    throw new Error(`${resource.path} exceeds ${maxTemplateBytes} bytes, the limit of a mapping template.`)
  // The media type without parameters: those are in the header only.
  const mediaType = headers['Content-Type'].replace(/;.*/, '')
  addFixedResponse(resource, 'GET', { status: 200, headers, templates: { [mediaType]: template } })
  addFixedResponse(resource, 'HEAD', { status: 200, headers })
  addPreflight(resource)
}

/**
 * Writes a Velocity template that renders to this text.
 *
 * API Gateway renders every response template. In Velocity, `$` and `#` begin references and directives, and a
 * backslash before them escapes. So each run such as `\\$` becomes a reference to a variable. The template sets the
 * variable first, to a string in single quotes, which Velocity does not evaluate.
 *
 * @param text must not begin with a space or a line break: Velocity removes those after a directive
 * @example
 * toVelocityTemplate('costs $5') // "#set($c0 = '$')costs ${c0}5"
 */
export function toVelocityTemplate(text: string): string {
  const runs = [...new Set(text.match(/\\*[$#]/g))]
  const prelude = runs.map((run, index) => `#set($c${index} = '${run}')`)
  return prelude.join('') + text.replaceAll(/\\*[$#]/g, run => `\${c${runs.indexOf(run)}}`)
}
