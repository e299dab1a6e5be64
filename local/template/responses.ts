import { parse, render } from 'velocityjs'
import { z } from 'zod'

const status = z
  .string()
  .regex(/^[1-5]\d\d$/, 'Expected an HTTP status')
  .transform(Number)

/** Headers whose names have a prefix and whose values are fixed texts in single quotes, not mappings from the request. */
function fixedHeaders(prefix: string) {
  const error = 'Expected a fixed value in single quotes'
  return z
    .record(z.string().startsWith(prefix), z.string(error).regex(/^'.*'$/, error))
    .default({})
    .transform(headers => Object.entries(headers))
    .transform(entries => entries.map(([name, value]) => [name.slice(prefix.length), value.slice(1, -1)] as const))
    .transform((entries): Readonly<Record<string, string>> => Object.fromEntries(entries))
}

/** A response that the gateway makes without an integration. Undefined: API Gateway's default status or body. */
export interface GatewayResponse {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export const gatewayResponse = z
  .strictObject({
    ResponseType: z.string(),
    StatusCode: status.optional(),
    ResponseParameters: fixedHeaders('gatewayresponse.header.'),
    ResponseTemplates: z
      .strictObject({
        'application/json': z
          .string()
          .regex(/^[^$]*$/, 'A variable is not supported')
          .optional(),
      })
      .default({}),
  })
  .transform(({ ResponseType, StatusCode, ResponseParameters, ResponseTemplates }): [string, GatewayResponse] => [
    ResponseType,
    { status: StatusCode, headers: ResponseParameters, body: ResponseTemplates['application/json'] },
  ])

/**
 * A response template (Velocity, VTL) that consists of text and of references to variables that it sets itself, rendered.
 * The output of everything else would depend on the request or on API Gateway.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/models-mappings.html
 */
export const responseTemplate = z.string().transform((template, context) => {
  const unsupported = findUnsupported(template)
  if (unsupported !== undefined) context.addIssue(`${unsupported} is not supported in a response template`)
  return unsupported === undefined ? render(template) : z.NEVER
})

/** Finds the first part of a template that is not supported. */
function findUnsupported(template: string): string | undefined {
  const nodes = parseNodes(template)
  if (nodes === undefined) return 'Its syntax'
  const variables = new Set<string>()
  for (const node of nodes) {
    const { data } = supportedNode.safeParse(node)
    if (data?.type === 'set') variables.add(data.equal[0].id)
    // Versions of Velocity disagree on a `$` or `#` that stands alone or is escaped.
    else if (typeof node === 'string' ? /[$#]/.test(node) : data === undefined || !variables.has(data.id)) {
      return JSON.stringify(node, ['type', 'id'])
    }
  }
  return undefined
}

function parseNodes(template: string): ReturnType<typeof parse> | undefined {
  try {
    return parse(template)
  } catch {
    return undefined
  }
}

const supportedNode = z.discriminatedUnion('type', [
  // `#set($name = 'text')`. In single quotes, the text contains no reference.
  z.object({
    type: z.literal('set'),
    equal: z.tuple([
      z.object({ id: z.string(), path: z.undefined().optional() }),
      z.object({ type: z.literal('string'), isEval: z.undefined().optional() }),
    ]),
  }),
  // `$name` and `${name}`, but not `$!name`, `$name.property` or `$name.method()`.
  z.object({
    type: z.literal('references'),
    id: z.string(),
    path: z.undefined().optional(),
    leader: z.literal('$'),
  }),
])

/** A fixed response. */
export interface MockIntegration {
  readonly type: 'MOCK'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Empty without a response template. */
  readonly body: string
  /** The content types that have a request template. A request without a content type counts as JSON. */
  readonly contentTypes: readonly string[]
  /** Whether other content types reach the integration, which then fails: no template sets a status. */
  readonly passesOthers: boolean
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
            .refine(templates => Object.keys(templates).length <= 1, 'A second response template is not supported')
            .default({}),
        }),
      ],
      'Expected one response',
    ),
    RequestTemplates: z.record(z.string(), z.unknown()).default({}),
    PassthroughBehavior: z.enum(['WHEN_NO_MATCH', 'WHEN_NO_TEMPLATES', 'NEVER']).default('WHEN_NO_MATCH'),
  })
  .transform(({ IntegrationResponses: [response], RequestTemplates, PassthroughBehavior }): MockIntegration => {
    const { StatusCode, ResponseParameters: headers, ResponseTemplates } = response
    const [mediaType, body = ''] = Object.entries(ResponseTemplates)[0] ?? []
    const hasType = Object.keys(headers).some(name => name.toLowerCase() === 'content-type')
    const contentTypes = Object.keys(RequestTemplates)
    return {
      type: 'MOCK',
      status: StatusCode,
      headers: hasType || mediaType === undefined ? headers : { ...headers, 'Content-Type': mediaType },
      body,
      contentTypes,
      passesOthers:
        PassthroughBehavior === 'WHEN_NO_MATCH' ||
        (PassthroughBehavior === 'WHEN_NO_TEMPLATES' && contentTypes.length === 0),
    }
  })
