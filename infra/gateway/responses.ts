import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway'
import { gatewayBodies } from '../../api/gateway-bodies.ts'
import { corsHeaders, toLink, toProblemHeaders } from '../../api/headers.ts'
import { Problem } from '../../api/problems.ts'

/**
 * The responses that the gateway creates itself, and the problem of each. The third element, if there is one, replaces
 * the status of the problem.
 */
const problems: readonly (readonly [ResponseType, Problem, status?: number])[] = [
  // API Gateway treats an unknown path or method as a request without a signature, or with a wrong one.
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, new Problem('unknown-route')],
  [ResponseType.INVALID_SIGNATURE, new Problem('unknown-route')],
  [ResponseType.RESOURCE_NOT_FOUND, new Problem('unknown-route')],
  [ResponseType.THROTTLED, new Problem('too-many-requests')],
  [ResponseType.WAF_FILTERED, new Problem('too-many-requests')],
  // A function that failed, and one that exceeded the timeout of its integration.
  [ResponseType.INTEGRATION_FAILURE, new Problem('internal'), 502],
  [ResponseType.INTEGRATION_TIMEOUT, new Problem('internal'), 504],
]

/** The bodies of the other responses, for which API Gateway chooses the status. */
const bodies: readonly (readonly [ResponseType, object])[] = [
  [ResponseType.DEFAULT_4XX, gatewayBodies.refused],
  [ResponseType.DEFAULT_5XX, gatewayBodies.failed],
  [ResponseType.UNSUPPORTED_MEDIA_TYPE, gatewayBodies.unsupportedMediaType],
]

/**
 * Turns the gateway's own responses, except 413, into problem documents that any origin may read (D20).
 *
 * API Gateway does not customise 413.
 *
 * @param baseUrl the URL to which the responses link. It may be a reference, which CloudFormation resolves.
 */
export function addGatewayResponses(api: RestApi, baseUrl: string): void {
  const toHeaders = (retryAfterSeconds?: number) => {
    const headers = { ...corsHeaders, ...toProblemHeaders(retryAfterSeconds), Link: toLink(baseUrl) }
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `'${value}'`]))
  }
  for (const [type, problem, status = problem.body.status] of problems) {
    api.addGatewayResponse(type.responseType, {
      type,
      statusCode: String(status),
      responseHeaders: toHeaders(problem.retryAfterSeconds),
      templates: toTemplates({ ...problem.body, status }),
    })
  }
  for (const [type, body] of bodies) {
    // No status code is set: that of a default type would replace the status of every type that is not listed here.
    api.addGatewayResponse(type.responseType, { type, responseHeaders: toHeaders(), templates: toTemplates(body) })
  }
}

/** Creates the template of a body. The key is the content type of the template, not of the response. */
function toTemplates(body: object): { 'application/json': string } {
  return { 'application/json': JSON.stringify(body) }
}
