import { type IResource, type Method, MockIntegration, PassthroughBehavior } from 'aws-cdk-lib/aws-apigateway'

/** What the gateway says by itself to everyone who asks. */
export interface FixedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** A Velocity template of the body, by its media type; without one, there is no body. */
  readonly templates?: Readonly<Record<string, string>>
}

/**
 * Answers a method without a function.
 *
 * A request that announces a body of any type but JSON is refused (415). The gateway's default would be to let it through, and then to
 * fail (500) for want of a template that says which status to answer; a template for every type there cannot be.
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
    // Some status must be said, and any chooses the one response that there is.
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
