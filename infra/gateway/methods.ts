import { Duration } from 'aws-cdk-lib'
import {
  type IResource,
  LambdaIntegration,
  MockIntegration,
  PassthroughBehavior,
  type RestApi,
} from 'aws-cdk-lib/aws-apigateway'
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { preflight } from '../../api/headers.ts'
import { type PriceRoute, parameters } from '../../api/routes.ts'
import { functionMs } from '../../lambda/timing.ts'
import type { RouteFunction } from '../functions/route-function.ts'

/**
 * Adds a route: a function answers GET, which the stage caches, and HEAD, which it does not. Preflights need no
 * function.
 */
export function addPriceRoute(api: RestApi, { route, alias }: RouteFunction): void {
  const resource = api.root.resourceForPath(route.path)
  const cacheKey = toCacheKey(route)
  // The alias is named by its ARN, because `Alias` is no `IFunction` under `exactOptionalPropertyTypes`.
  const attributes = { functionArn: alias.functionArn, sameEnvironment: true }
  const handler = LambdaFunction.fromFunctionAttributes(resource, 'Live', attributes)
  // The timeout is longer than the function's own, so that a slow function responds by itself.
  const options = { allowTestInvoke: false, timeout: Duration.millis(functionMs + 2_000) }
  const cached = new LambdaIntegration(handler, { ...options, cacheKeyParameters: Object.keys(cacheKey) })
  resource.addMethod('GET', cached, { requestParameters: cacheKey })
  resource.addMethod('HEAD', new LambdaIntegration(handler, options))
  addPreflight(resource)
}

function toCacheKey(route: PriceRoute): Record<string, boolean> {
  const inKey = Object.entries(parameters).filter(([name]) => route.parameters.some(parameter => parameter === name))
  return Object.fromEntries(
    inKey.map(([name, { in: place, required }]) => [
      `method.request.${place === 'query' ? 'querystring' : place}.${name}`,
      required,
    ]),
  )
}

/** Adds a method for CORS preflights: any origin may send any header but `Authorization`. */
export function addPreflight(resource: IResource): void {
  addFixedResponse(resource, 'OPTIONS', { status: 204, headers: preflight })
}

/** A response that the gateway sends without a function. */
interface FixedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The Velocity template of the body, by media type; without one, there is no body. */
  readonly templates?: Record<string, string>
}

/**
 * Adds a method that the gateway answers without a function.
 *
 * A request with a content type other than JSON is refused (415). By default, API Gateway passes it through, finds no
 * request template with a status, and responds 500. A template for every content type is not possible.
 */
export function addFixedResponse(resource: IResource, httpMethod: string, response: FixedResponse): void {
  const { status, headers, templates } = response
  const statusCode = String(status)
  const named = Object.entries(headers).map(([header, value]) => [`method.response.header.${header}`, value] as const)
  const integration = new MockIntegration({
    passthroughBehavior: PassthroughBehavior.NEVER,
    // A mock integration needs a status in its request template. Any status selects the only response.
    requestTemplates: { 'application/json': '{"statusCode":200}' },
    integrationResponses: [
      {
        statusCode,
        responseParameters: Object.fromEntries(named.map(([name, value]) => [name, `'${value}'`])),
        ...(templates && { responseTemplates: templates }),
      },
    ],
  })
  const responseParameters = Object.fromEntries(named.map(([name]) => [name, true]))
  resource.addMethod(httpMethod, integration, { methodResponses: [{ statusCode, responseParameters }] })
}
