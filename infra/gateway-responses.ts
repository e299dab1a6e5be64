import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway'
import { Problem } from '../lambda/problems.ts'

/** The problem of each response that the gateway gives by itself, without a function. */
const problems: readonly (readonly [ResponseType, Problem, status?: number])[] = [
  // What an unknown path or method comes to: API Gateway takes it for a request to sign, with no signature or a wrong one.
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, new Problem('unknown-route')],
  [ResponseType.INVALID_SIGNATURE, new Problem('unknown-route')],
  [ResponseType.RESOURCE_NOT_FOUND, new Problem('unknown-route')],
  [ResponseType.THROTTLED, new Problem('too-many-requests')],
  [ResponseType.QUOTA_EXCEEDED, new Problem('too-many-requests')],
  [ResponseType.WAF_FILTERED, new Problem('too-many-requests')],
  // A function that broke, and one that outlived its integration.
  [ResponseType.INTEGRATION_FAILURE, new Problem('internal'), 502],
  [ResponseType.INTEGRATION_TIMEOUT, new Problem('internal'), 504],
]

/**
 * Makes the gateway's own answers problem documents that any origin may read (D19, D20).
 *
 * All but one: 413 takes neither headers nor a body from here.
 */
export function addGatewayResponses(api: RestApi): void {
  for (const [type, problem, status = problem.document.status] of problems) {
    api.addGatewayResponse(type.responseType, {
      type,
      statusCode: String(status),
      responseHeaders: {
        ...headers,
        ...(problem.retryAfterSeconds === undefined ? {} : { 'Retry-After': `'${problem.retryAfterSeconds}'` }),
      },
      templates: toTemplates({ ...problem.document, status }),
    })
  }
  for (const [type, body] of [
    [ResponseType.DEFAULT_4XX, refused],
    [ResponseType.DEFAULT_5XX, broken],
  ] as const) {
    // Without a status code: one would overwrite that of every type which is not named above.
    api.addGatewayResponse(type.responseType, { type, responseHeaders: headers, templates: toTemplates(body) })
  }
}

const headers = {
  'Access-Control-Allow-Origin': "'*'",
  'Cache-Control': "'no-store'",
  'Content-Type': "'application/problem+json'",
}

// Of these two the gateway alone knows the case, and so the status: the documents have none.
const refused = {
  type: 'about:blank',
  title: 'Bad request',
  detail: 'The gateway refused this request before it came to the service.',
}
const { status: _, ...broken } = new Problem('internal').document

/** The key is the template's, not the response's content type. */
function toTemplates(body: object): { 'application/json': string } {
  return { 'application/json': JSON.stringify(body) }
}
