import { render } from 'velocityjs'
import { z } from 'zod'
import { assertSupported, findIds, type Resources, text, UnsupportedTemplate } from './cloudformation.ts'

/** An HTTP response. */
export interface GatewayReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const status = z
  .string()
  .regex(/^[2-5]\d\d$/, 'Expected an HTTP status')
  .transform(Number)

/** Headers whose names have a prefix and whose values are fixed texts in single quotes, not mappings from the request. */
function fixedHeaders(prefix: string) {
  const error = 'Expected a fixed value in single quotes'
  return z
    .record(z.string().startsWith(prefix), text.pipe(z.string().regex(/^'.*'$/, error)))
    .transform(headers => Object.entries(headers))
    .transform(entries => entries.map(([name, value]) => [name.slice(prefix.length), value.slice(1, -1)] as const))
    .transform((entries): Readonly<Record<string, string>> => Object.fromEntries(entries))
}

const gatewayResponse = z.strictObject({
  ResponseType: z.string(),
  StatusCode: status.optional(),
  ResponseParameters: fixedHeaders('gatewayresponse.header.'),
  ResponseTemplates: z.strictObject({
    'application/json': z.string().regex(/^[^$]*$/, 'A variable is not supported'),
  }),
})

/** The responses that the gateway makes by itself, by API Gateway's type. */
export type GatewayResponses = ReturnType<typeof parseGatewayResponses>

/**
 * Parses the gateway responses of the types that the local run sends.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
export function parseGatewayResponses(resources: Resources) {
  const ids = findIds('AWS::ApiGateway::GatewayResponse', resources)
  const responses = ids.map(id => assertSupported(gatewayResponse, id, resources))

  /** @param ownStatus API Gateway's own, for a response without one */
  function find(type: string, ownStatus: number): GatewayReply {
    const response = responses.find(({ ResponseType }) => ResponseType === type)
    if (response === undefined) throw new UnsupportedTemplate('Resources', `There is no gateway response ${type}.`)
    const { StatusCode = ownStatus, ResponseParameters, ResponseTemplates } = response
    return toReply(StatusCode, ResponseParameters, ResponseTemplates)
  }

  return {
    MISSING_AUTHENTICATION_TOKEN: find('MISSING_AUTHENTICATION_TOKEN', 403),
    UNSUPPORTED_MEDIA_TYPE: find('UNSUPPORTED_MEDIA_TYPE', 415),
    THROTTLED: find('THROTTLED', 429),
    // 504 in the documentation, 502 in the access logs of failed functions.
    INTEGRATION_FAILURE: find('INTEGRATION_FAILURE', 502),
    INTEGRATION_TIMEOUT: find('INTEGRATION_TIMEOUT', 504),
  }
}

/** @param templates none for an empty body, or one, whose media type counts when no header states another */
function toReply(
  status: number,
  headers: Readonly<Record<string, string>>,
  templates: Readonly<Record<string, string>>,
) {
  const [[mediaType, body] = ['', '']] = Object.entries(templates)
  return { status, headers: mediaType === '' ? headers : { 'Content-Type': mediaType, ...headers }, body }
}

/**
 * A response template (Velocity, VTL) as `infra/api/documents.ts` writes it, rendered: a text whose `$` and `#` are references to
 * variables that it sets first. The output of everything else would depend on the request or on API Gateway.
 */
const responseTemplate = text
  .pipe(
    z
      .string()
      .regex(
        /^(#set\(\$c\d+ = '\\*[$#]'\))*[^$#]*(\$\{c\d+\}[^$#]*)*$/,
        'Expected a text without references and directives',
      ),
  )
  .transform(template => render(template))

/** A fixed response to JSON, and to a request without a content type. */
export interface MockIntegration {
  readonly type: 'MOCK'
  readonly reply: GatewayReply
}

export const mockIntegration = z
  .strictObject({
    Type: z.literal('MOCK'),
    IntegrationResponses: z.tuple(
      [
        z.strictObject({
          StatusCode: status,
          ResponseParameters: fixedHeaders('method.response.header.'),
          ResponseTemplates: z
            .record(z.string(), responseTemplate)
            .refine(templates => Object.keys(templates).length === 1, 'Expected one response template')
            .default({}),
        }),
      ],
      'Expected one response',
    ),
    // Any status selects the only response.
    RequestTemplates: z.strictObject({ 'application/json': z.literal('{"statusCode":200}') }),
    PassthroughBehavior: z.literal('NEVER'),
  })
  .transform(({ IntegrationResponses: [response] }): MockIntegration => {
    const { StatusCode, ResponseParameters, ResponseTemplates } = response
    return { type: 'MOCK', reply: toReply(StatusCode, ResponseParameters, ResponseTemplates) }
  })
