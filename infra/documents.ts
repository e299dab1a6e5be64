import type { IResource, RestApi } from 'aws-cdk-lib/aws-apigateway'
import { cors } from '../lambda/cors.ts'
import { addFixedAnswer } from './fixed-answer.ts'
import { acknowledgeOpen, addPreflight } from './open-access.ts'
import { readOpenApiDocument } from './openapi-document.ts'
import { buildBoard, buildReference, type Page } from './page.ts'
import { toVelocityTemplate } from './velocity-text.ts'

/** Serves the board, the reference and the API's description without a function (D26). */
export function addDocuments(api: RestApi): void {
  addPage(api.root, buildBoard())
  addDocument(api.root.addResource('openapi.json'), {
    mediaType: 'application/json',
    headers: { 'Content-Type': 'application/json' },
    body: readOpenApiDocument(),
  })
  addPage(api.root.addResource('docs'), buildReference())
}

function addPage(resource: IResource, { html, contentSecurityPolicy }: Page): void {
  addDocument(resource, {
    mediaType: 'text/html',
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': contentSecurityPolicy,
      'Referrer-Policy': 'no-referrer',
    },
    body: html,
  })
}

/** A fixed text, its media type and its headers. */
interface Document {
  /** Without parameters: those are in the header only. */
  readonly mediaType: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Headers of every document. */
const commonHeaders = {
  'Access-Control-Allow-Origin': cors.origin,
  'Access-Control-Expose-Headers': cors.exposeHeaders,
  // A document changes with a deployment only. The ten seconds of D21 are for prices.
  'Cache-Control': 'public, max-age=300',
  'X-Content-Type-Options': 'nosniff',
}

/**
 * Limit of a mapping template, in bytes.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
 */
const maxTemplateBytes = 300_000

function addDocument(resource: IResource, { mediaType, headers, body }: Document): void {
  const template = toVelocityTemplate(body)
  if (Buffer.byteLength(template) > maxTemplateBytes)
    throw new Error(`${resource.path} exceeds ${maxTemplateBytes} bytes, the limit of a mapping template.`)
  const answer = { status: 200, headers: { ...commonHeaders, ...headers } }
  acknowledgeOpen(addFixedAnswer(resource, 'GET', { ...answer, templates: { [mediaType]: template } }))
  acknowledgeOpen(addFixedAnswer(resource, 'HEAD', answer))
  addPreflight(resource)
}
