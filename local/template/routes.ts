import { z } from 'zod'
import {
  assertAllSupported,
  assertSupported,
  type Resources,
  rootResourceId,
  UnsupportedTemplate,
} from './cloudformation.ts'
import { type MockIntegration, mockIntegration } from './responses.ts'

/** One method of one resource of the API. */
export interface Route {
  readonly resourceId: string
  /** Its segments are texts and `{parameters}`: `/price/{symbol}`. */
  readonly resourcePath: string
  readonly httpMethod: string
  /** The parameters that the method declares, and whether each is required. Without a validator, this is not checked. */
  readonly requestParameters: Readonly<Record<string, boolean>>
  readonly integration: FunctionIntegration | MockIntegration
  readonly settings: MethodSettings
}

export interface FunctionIntegration {
  readonly type: 'AWS_PROXY'
  /** The function's logical id. */
  readonly functionId: string
  readonly timeoutMs: number
  /** The request parameters in the cache key, such as `method.request.path.symbol`. */
  readonly cacheKeyParameters: readonly string[]
}

/** The stage's settings for one method. */
interface MethodSettings {
  /** Undefined: the method's responses are not cached. */
  readonly cacheTtlMs: number | undefined
  readonly throttling: { readonly requestsPerSecond: number; readonly burst: number }
}

const amount = z.number().min(0)

/**
 * The settings of one method, or of all methods without settings of their own, with their key. The defaults are API Gateway's.
 *
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-apigateway-stage-methodsetting.html
 */
export const methodSettings = z
  .strictObject({
    ResourcePath: z.string(),
    HttpMethod: z.string(),
    CachingEnabled: z.boolean().default(false),
    CacheTtlInSeconds: amount.default(300),
    ThrottlingRateLimit: amount.default(10_000),
    ThrottlingBurstLimit: amount.default(5_000),
    CacheDataEncrypted: z.unknown().optional(),
    DataTraceEnabled: z.unknown().optional(),
    LoggingLevel: z.unknown().optional(),
    MetricsEnabled: z.unknown().optional(),
  })
  .transform((entry): [key: string, settings: MethodSettings] => [
    `${entry.ResourcePath} ${entry.HttpMethod}`,
    {
      cacheTtlMs: entry.CachingEnabled && entry.CacheTtlInSeconds > 0 ? 1_000 * entry.CacheTtlInSeconds : undefined,
      throttling: { requestsPerSecond: entry.ThrottlingRateLimit, burst: entry.ThrottlingBurstLimit },
    },
  ])

const functionUri = /:lambda:path\/2015-03-31\/functions\/[^/]*:function:([^/:]+)(:[^/:]+)?\/invocations$/

const functionIntegration = z
  .strictObject({
    Type: z.literal('AWS_PROXY'),
    Uri: z.string().regex(functionUri, 'Expected the URI of a function'),
    IntegrationHttpMethod: z.literal('POST'),
    TimeoutInMillis: amount.default(29_000),
    CacheKeyParameters: z
      .array(z.string().regex(/^method\.request\.(querystring|path)\.[^.]+$/, 'Expected a path or query parameter'))
      .default([]),
  })
  .transform(({ Type, Uri, TimeoutInMillis, CacheKeyParameters }): FunctionIntegration => {
    const functionId = functionUri.exec(Uri)?.[1] ?? ''
    return { type: Type, functionId, timeoutMs: TimeoutInMillis, cacheKeyParameters: CacheKeyParameters }
  })

const method = z.strictObject({
  HttpMethod: z.string().regex(/^(?!ANY$)/, 'ANY is not supported'),
  ResourceId: z.string(),
  AuthorizationType: z.literal('NONE').default('NONE'),
  ApiKeyRequired: z.literal(false).default(false),
  RequestParameters: z.record(z.string(), z.boolean()).default({}),
  Integration: z.discriminatedUnion('Type', [functionIntegration, mockIntegration]),
})

const apiResource = z.strictObject({
  ParentId: z.string(),
  PathPart: z.string().regex(/^[^+]*$/, 'A parameter of several segments is not supported'),
})

/**
 * Parses the methods of the API, each with its settings: its own, which inherit nothing, or those for all methods.
 *
 * @throws {UnsupportedTemplate} also for what CloudFormation rejects at deployment: settings of a method that the API does
 * not have, and a cache key that the method does not declare.
 */
export function parseRoutes(
  resources: Resources,
  stageId: string,
  settings: readonly z.output<typeof methodSettings>[],
): readonly Route[] {
  const defaults = methodSettings.parse({ ResourcePath: '/*', HttpMethod: '*' })
  const [forAll] = defaults
  const byKey = new Map([defaults, ...settings])
  const unused = new Set(byKey.keys()).difference(new Set([forAll]))
  const methods = assertAllSupported(method, 'AWS::ApiGateway::Method', resources)
  const routes = [...methods].map(([id, { ResourceId, HttpMethod, RequestParameters, Integration }]): Route => {
    const keys = Integration.type === 'AWS_PROXY' ? Integration.cacheKeyParameters : []
    const undeclared = keys.find(parameter => !Object.hasOwn(RequestParameters, parameter))
    if (undeclared !== undefined) throw new UnsupportedTemplate(`${id}.RequestParameters`, `${undeclared} is missing.`)
    const resourcePath = toPath(ResourceId, resources)
    // The settings write a path as in a JSON pointer: `~1` is a slash.
    const key = `/${resourcePath.replaceAll('/', '~1')} ${HttpMethod}`
    unused.delete(key)
    return {
      resourceId: ResourceId,
      resourcePath,
      httpMethod: HttpMethod,
      requestParameters: RequestParameters,
      integration: Integration,
      settings: byKey.get(key) ?? byKey.get(forAll) ?? defaults[1],
    }
  })
  const [first] = unused
  if (first === undefined) return routes
  const index = settings.findIndex(([key]) => key === first)
  throw new UnsupportedTemplate(`${stageId}.MethodSettings.${index}`, 'The API does not have this method.')
}

function toPath(resourceId: string, resources: Resources): string {
  if (resourceId === rootResourceId) return '/'
  const { ParentId, PathPart } = assertSupported(apiResource, resourceId, resources)
  const parent = toPath(ParentId, resources)
  return `${parent === '/' ? '' : parent}/${PathPart}`
}
