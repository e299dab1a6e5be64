import { z } from 'zod'
import { assertSupported, findIds, type Resources, reference, text } from './cloudformation.ts'
import { type MockIntegration, mockIntegration } from './responses.ts'

/** One method of one resource of the API. */
export interface Route {
  /** Its segments are texts and `{parameters}`: `/price/{symbol}`. */
  readonly resourcePath: string
  readonly httpMethod: string
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
const settings = {
  ThrottlingRateLimit: amount,
  ThrottlingBurstLimit: amount,
  DataTraceEnabled: z.unknown(),
  LoggingLevel: z.unknown(),
  MetricsEnabled: z.unknown(),
}

const ofAll = z.strictObject({
  ResourcePath: z.literal('/*'),
  HttpMethod: z.literal('*'),
  CachingEnabled: z.literal(false),
  ...settings,
})

const ofCached = z.strictObject({
  ResourcePath: z.string(),
  HttpMethod: z.literal('GET'),
  CachingEnabled: z.boolean(),
  CacheTtlInSeconds: amount,
  CacheDataEncrypted: z.unknown(),
  ...settings,
})

/**
 * First the settings of all methods without settings of their own, which inherit nothing.
 *
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-apigateway-stage-methodsetting.html
 */
export const methodSettings = z.tuple([ofAll], ofCached)

const invocationUri = /:lambda:path\/2015-03-31\/functions\/\{(\w+)\}\/invocations$/

const functionIntegration = z.strictObject({
  Type: z.literal('AWS_PROXY'),
  // Parsed to the logical id of the function's alias.
  Uri: text
    .pipe(z.string().regex(invocationUri, 'Expected the URI of an alias'))
    .transform(uri => invocationUri.exec(uri)?.[1] ?? ''),
  IntegrationHttpMethod: z.literal('POST'),
  TimeoutInMillis: amount,
  CacheKeyParameters: z
    .array(z.string().regex(/^method\.request\.(querystring|path)\.[^.]+$/, 'Expected a path or query parameter'))
    .default([]),
})

/** API Gateway generates the id of the root resource, and the template refers to it by an attribute. Here it is a constant. */
const rootResourceId = 'root'
const rootReference = z
  .strictObject({ 'Fn::GetAtt': z.tuple([z.string(), z.literal('RootResourceId')]) })
  .transform(() => rootResourceId)

const method = z.strictObject({
  HttpMethod: z.enum(['GET', 'HEAD', 'OPTIONS']),
  ResourceId: z.union([reference, rootReference]),
  AuthorizationType: z.literal('NONE'),
  Integration: z.discriminatedUnion('Type', [functionIntegration, mockIntegration]),
})

const apiResource = z.strictObject({
  ParentId: z.union([reference, rootReference]),
  PathPart: z.string().regex(/^([\w.-]+|\{\w+\})$/, 'Expected a text or a parameter of one segment'),
})

const alias = z.strictObject({ FunctionName: reference })

/** Parses the methods of the API, each with its settings. */
export function parseRoutes(resources: Resources, [forAll, ...own]: z.output<typeof methodSettings>): readonly Route[] {
  return findIds('AWS::ApiGateway::Method', resources).map(id => {
    const { ResourceId, HttpMethod, Integration } = assertSupported(method, id, resources)
    const resourcePath = toPath(ResourceId, resources)
    // The settings write a path as in a JSON pointer: `~1` is a slash.
    const key = `/${resourcePath.replaceAll('/', '~1')}`
    const cached = own.find(setting => setting.ResourcePath === key && setting.HttpMethod === HttpMethod)
    const { ThrottlingRateLimit, ThrottlingBurstLimit } = cached ?? forAll
    return {
      resourcePath,
      httpMethod: HttpMethod,
      integration: 'Uri' in Integration ? toFunctionIntegration(Integration, resources) : Integration,
      settings: {
        cacheTtlMs: cached?.CachingEnabled ? 1_000 * cached.CacheTtlInSeconds : undefined,
        throttling: { requestsPerSecond: ThrottlingRateLimit, burst: ThrottlingBurstLimit },
      },
    }
  })
}

function toFunctionIntegration(
  { Type, Uri, TimeoutInMillis, CacheKeyParameters }: z.output<typeof functionIntegration>,
  resources: Resources,
): FunctionIntegration {
  const { FunctionName } = assertSupported(alias, Uri, resources)
  return { type: Type, functionId: FunctionName, timeoutMs: TimeoutInMillis, cacheKeyParameters: CacheKeyParameters }
}

function toPath(resourceId: string, resources: Resources): string {
  if (resourceId === rootResourceId) return '/'
  const { ParentId, PathPart } = assertSupported(apiResource, resourceId, resources)
  const parent = toPath(ParentId, resources)
  return `${parent === '/' ? '' : parent}/${PathPart}`
}
