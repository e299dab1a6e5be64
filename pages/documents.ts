import { documentHeaders, pageHeaders } from '../api/responses.ts'
import { type DocumentRoute, documentRoutes } from '../api/routes.ts'
import { createDescription, type Examples } from '../api/schemas/openapi.ts'
import { buildBoard, buildReference, type Page } from './build.ts'
import { createExamples } from './examples.ts'

/** A document that API Gateway serves by itself, without a function (D26). */
export interface Document {
  readonly path: string
  readonly headers: Readonly<Record<string, string>> & { readonly 'Content-Type': string }
  /** `exampleBaseUrl` stands for the base URL of the deployment. */
  readonly body: string
}

/**
 * Builds the board, the reference and the description of the API.
 *
 * @param basePath the path of the base URL, with which the links between the pages begin: `/v1`, or empty at a domain
 */
export function buildDocuments(basePath: string): readonly Document[] {
  const examples = createExamples()
  const documents: Record<DocumentRoute['document'], Omit<Document, 'path'>> = {
    board: toDocument(buildBoard(basePath)),
    reference: toDocument(buildReference(basePath, examples)),
    description: {
      headers: { ...documentHeaders, 'Content-Type': 'application/json' },
      body: formatDescription(examples),
    },
  }
  return documentRoutes.map(({ path, document }) => ({ path, ...documents[document] }))
}

function toDocument({ html, contentSecurityPolicy }: Page): Omit<Document, 'path'> {
  const own = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': contentSecurityPolicy }
  return { headers: { ...pageHeaders, ...own }, body: html }
}

/**
 * Formats the description of the API as compact JSON.
 *
 * It is ASCII, so that no encoding in CloudFormation or API Gateway can change it.
 */
function formatDescription(examples: Examples): string {
  return JSON.stringify(createDescription(examples)).replaceAll(
    /[\u0080-\uffff]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
