import { type IResource, type Method, MockIntegration, PassthroughBehavior } from 'aws-cdk-lib/aws-apigateway'

/** A response that the gateway gives without an integration. */
export interface FixedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The Velocity template of the body, by media type; without one, there is no body. */
  readonly templates?: Readonly<Record<string, string>>
}

/**
 * Answers a method without a function.
 *
 * A request with a content type other than JSON is refused (415). By default, API Gateway passes it through, finds no request template
 * with a status, and responds 500. A template for every content type is not possible.
 */
export function addFixedAnswer(
  resource: IResource,
  httpMethod: string,
  { status, headers, templates }: FixedAnswer,
): Method {
  const statusCode = String(status)
  const named = Object.entries(headers).map(([header, value]) => [`method.response.header.${header}`, value] as const)
  const integration = new MockIntegration({
    passthroughBehavior: PassthroughBehavior.NEVER,
    // A mock integration needs a status. Any status selects the only response.
    requestTemplates: { 'application/json': '{"statusCode":200}' },
    integrationResponses: [
      {
        statusCode,
        responseParameters: Object.fromEntries(named.map(([name, value]) => [name, `'${value}'`])),
        ...(templates === undefined ? {} : { responseTemplates: { ...templates } }),
      },
    ],
  })
  const responseParameters = Object.fromEntries(named.map(([name]) => [name, true]))
  return resource.addMethod(httpMethod, integration, { methodResponses: [{ statusCode, responseParameters }] })
}
