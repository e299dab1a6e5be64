import type { RestApi } from 'aws-cdk-lib/aws-apigateway'
import { exampleBaseUrl } from '../../api/schemas/openapi.ts'
import { buildDocuments } from '../../pages/documents.ts'
import { addFixedResponse, addPreflight } from './methods.ts'

/**
 * Serves the board, the reference and the API's description without a function (D26).
 *
 * @param baseUrl replaces the example base URL of the documents. It may be a reference, which CloudFormation resolves.
 * @param basePath the path of the base URL
 */
export function addDocuments(api: RestApi, baseUrl: string, basePath: string): void {
  for (const { path, headers, body } of buildDocuments(basePath)) {
    const resource = api.root.resourceForPath(path)
    const template = toVelocityTemplate(body).replaceAll(exampleBaseUrl, baseUrl)
    // The key of a template is a media type without parameters. Only the header has the parameters.
    const mediaType = headers['Content-Type'].replace(/;.*/, '')
    addFixedResponse(resource, 'GET', { status: 200, headers, templates: { [mediaType]: template } })
    addFixedResponse(resource, 'HEAD', { status: 200, headers })
    addPreflight(resource)
  }
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
