import { z } from 'zod'

/** The supported types of resources, each with the properties that change no response of the local run. */
export const supportedTypes: Readonly<Record<string, readonly string[]>> = {
  'AWS::ApiGateway::RestApi': ['Description', 'DisableExecuteApiEndpoint', 'EndpointConfiguration', 'Name', 'Tags'],
  'AWS::ApiGateway::Resource': ['RestApiId'],
  'AWS::ApiGateway::Method': ['MethodResponses', 'OperationName', 'RestApiId'],
  'AWS::ApiGateway::GatewayResponse': ['RestApiId'],
  'AWS::ApiGateway::Stage': [
    ...['AccessLogSetting', 'CacheClusterSize', 'DeploymentId', 'Description', 'RestApiId', 'Tags', 'TracingEnabled'],
  ],
  'AWS::Lambda::Function': [
    ...['Architectures', 'Code', 'Description', 'FunctionName', 'LoggingConfig', 'ReservedConcurrentExecutions'],
    ...['Role', 'Tags', 'TracingConfig'],
  ],
  'AWS::SSM::Parameter': [],
  // These change the API's address and permissions. Their properties are not parsed.
  'AWS::ApiGateway::Account': [],
  'AWS::ApiGateway::BasePathMapping': [],
  'AWS::ApiGateway::Deployment': [],
  'AWS::ApiGateway::DomainName': [],
  'AWS::Lambda::Permission': [],
}

/** A text or a function of CloudFormation, for `resolve`. */
const expression = z.unknown()

const flag = z.boolean().default(false)

const amount = z.number().min(0)

const status = z
  .string()
  .regex(/^[1-5]\d\d$/, 'Expected an HTTP status')
  .transform(Number)

export const restApi = z.strictObject({})

export const apiResource = z.strictObject({
  ParentId: expression,
  PathPart: z.string().regex(/^[^+]*$/, 'A parameter of several segments is not supported'),
})

/**
 * The settings of one method, or of all methods without settings of their own. The defaults are API Gateway's.
 *
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-apigateway-stage-methodsetting.html
 */
export const methodSettings = z.strictObject({
  ResourcePath: z.string(),
  HttpMethod: z.string(),
  CachingEnabled: flag,
  CacheTtlInSeconds: amount.default(300),
  ThrottlingRateLimit: amount.default(10_000),
  ThrottlingBurstLimit: amount.default(5_000),
  CacheDataEncrypted: z.unknown().optional(),
  DataTraceEnabled: z.unknown().optional(),
  LoggingLevel: z.unknown().optional(),
  MetricsEnabled: z.unknown().optional(),
})

export const stage = z.strictObject({
  StageName: expression,
  CacheClusterEnabled: flag,
  MethodSettings: z.array(methodSettings).default([]),
})

const functionIntegration = z.strictObject({
  Type: z.literal('AWS_PROXY'),
  Uri: expression,
  IntegrationHttpMethod: z.literal('POST'),
  TimeoutInMillis: amount.default(29_000),
  CacheKeyParameters: z
    .array(z.string().regex(/^method\.request\.(querystring|path)\.[^.]+$/, 'Expected a path or query parameter'))
    .default([]),
})

const mockIntegration = z.strictObject({
  Type: z.literal('MOCK'),
  IntegrationResponses: z.tuple(
    [
      z.strictObject({
        StatusCode: status,
        ResponseParameters: fixedHeaders('method.response.header.'),
        ResponseTemplates: z.record(z.string(), z.string()).default({}),
      }),
    ],
    'Expected one response',
  ),
  RequestTemplates: z.record(z.string(), z.unknown()).default({}),
  PassthroughBehavior: z.enum(['WHEN_NO_MATCH', 'WHEN_NO_TEMPLATES', 'NEVER']).default('WHEN_NO_MATCH'),
})

export const method = z.strictObject({
  HttpMethod: z.string().regex(/^(?!ANY$)/, 'ANY is not supported'),
  ResourceId: expression,
  AuthorizationType: z.literal('NONE').default('NONE'),
  ApiKeyRequired: z.literal(false).default(false),
  RequestParameters: z.record(z.string(), z.boolean()).default({}),
  Integration: z.discriminatedUnion('Type', [functionIntegration, mockIntegration]),
})

export const gatewayResponse = z.strictObject({
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

export const lambdaFunction = z.strictObject({
  Handler: z.string().regex(/^[^.]+\.[^.]+$/, 'Expected FILE.EXPORT'),
  Runtime: z.string(),
  Timeout: amount.default(3),
  MemorySize: amount.default(128),
  Environment: z.strictObject({ Variables: z.record(z.string(), expression).default({}) }).default({ Variables: {} }),
})

/** What CDK notes of a function: the folder of its bundle, and its construct's path (`price-lookup-dev/GetPrice/Resource`). */
export const functionMetadata = z.object({ 'aws:asset:path': z.string(), 'aws:cdk:path': z.string() })

/** Headers whose names have a prefix and whose values are fixed texts in single quotes, not mappings from the request. */
function fixedHeaders(prefix: string) {
  const error = 'Expected a fixed value in single quotes'
  return z
    .record(z.string().startsWith(prefix), z.string(error).regex(/^'.*'$/, error))
    .default({})
    .transform(headers =>
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.slice(prefix.length), value.slice(1, -1)]),
      ),
    )
}
