import type { IResource, RestApi } from 'aws-cdk-lib/aws-apigateway'
import { createDescription, type Examples, exampleBaseUrl } from '../../api/openapi.ts'
import { documentHeaders, pageHeaders } from '../../api/responses.ts'
import { buildBoard, buildReference, type Page } from '../../pages/build.ts'
import { createExamples } from './examples.ts'
import { addFixedResponse, addPreflight } from './methods.ts'

/**
 * Serves the board, the reference and the API's description without a function (D26).
 *
 * @param baseUrl replaces that of the description. It may be a reference, which CloudFormation resolves.
 */
export function addDocuments(api: RestApi, baseUrl: string): void {
  const examples = createExamples()
  addPage(api.root, buildBoard())
  const description = toVelocityTemplate(formatDescription(examples)).replaceAll(exampleBaseUrl, baseUrl)
  addDocument(api.root.addResource('openapi.json'), 'application/json', description, {
    ...documentHeaders,
    'Content-Type': { value: 'application/json' },
  })
  addPage(api.root.addResource('docs'), buildReference(examples))
}

/**
 * Formats the description of the API as compact JSON.
 *
 * It is ASCII, so that no encoding in CloudFormation or API Gateway can change it.
 */
export function formatDescription(examples: Examples): string {
  return JSON.stringify(createDescription(examples)).replaceAll(
    /[\u0080-\uffff]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Adds a page with its headers. @throws if its template exceeds API Gateway's limit */
export function addPage(resource: IResource, { html, contentSecurityPolicy }: Page): void {
  addDocument(resource, 'text/html', toVelocityTemplate(html), {
    ...pageHeaders,
    'Content-Type': { value: 'text/html; charset=utf-8' },
    'Content-Security-Policy': { value: contentSecurityPolicy },
  })
}

/**
 * Limit of a mapping template, in bytes.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
 */
const maxTemplateBytes = 300_000

/**
 * @param mediaType without parameters: those are in the header only
 * @param template of the body
 */
function addDocument(
  resource: IResource,
  mediaType: string,
  template: string,
  headers: Readonly<Record<string, { readonly value: string }>>,
): void {
  if (Buffer.byteLength(template) > maxTemplateBytes)
    throw new Error(`${resource.path} exceeds ${maxTemplateBytes} bytes, the limit of a mapping template.`)
  const values = Object.entries(headers).map(([name, { value }]) => [name, value])
  const response = { status: 200, headers: Object.fromEntries(values) }
  addFixedResponse(resource, 'GET', { ...response, templates: { [mediaType]: template } })
  addFixedResponse(resource, 'HEAD', response)
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
