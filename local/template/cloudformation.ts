import { z } from 'zod'
import { StartFailure } from '../start-failure.ts'

/** The template has something that affects responses and that the local gateway does not support. AWS may support it. */
export class UnsupportedTemplate extends StartFailure {
  override name = 'UnsupportedTemplate'

  /** @param path a logical id and the names of properties below it: `ApiStage.MethodSettings.0` */
  constructor(path: string, reason: string) {
    super(`${path}: ${reason}`)
  }
}

/** A resource of a template, before its properties are parsed. */
const resource = z.object({
  Type: z.string(),
  Condition: z.unknown().optional(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  Metadata: z.record(z.string(), z.unknown()).default({}),
})

/** All resources of a template, by logical id. */
export type Resources = Readonly<Record<string, z.output<typeof resource>>>

/** The supported types of resources, each with the properties that change no response of the local run. */
const supportedTypes: Readonly<Record<string, readonly string[]>> = {
  'AWS::ApiGateway::RestApi': [
    ...['Description', 'DisableExecuteApiEndpoint', 'EndpointAccessMode', 'EndpointConfiguration', 'Name'],
    ...['SecurityPolicy', 'Tags'],
  ],
  'AWS::ApiGateway::Resource': ['RestApiId'],
  'AWS::ApiGateway::Method': ['MethodResponses', 'OperationName', 'RestApiId'],
  'AWS::ApiGateway::GatewayResponse': ['RestApiId'],
  'AWS::ApiGateway::Stage': [
    ...['AccessLogSetting', 'CacheClusterSize', 'DeploymentId', 'Description', 'RestApiId', 'Tags', 'TracingEnabled'],
  ],
  'AWS::Lambda::Alias': ['FunctionVersion'],
  'AWS::Lambda::Function': [
    ...['Architectures', 'Code', 'Description', 'FunctionName', 'LoggingConfig', 'ReservedConcurrentExecutions'],
    ...['Role', 'Tags', 'TracingConfig'],
  ],
  'AWS::SSM::Parameter': ['AllowedPattern', 'DataType', 'Description', 'Tags', 'Tier', 'Type'],
  // These change the API's address, permissions and versions. Their properties are not parsed.
  'AWS::ApiGateway::BasePathMapping': [],
  'AWS::ApiGateway::Deployment': [],
  'AWS::ApiGateway::DomainName': [],
  'AWS::Lambda::Permission': [],
  'AWS::Lambda::Version': [],
}

/** @throws {UnsupportedTemplate} for a resource that affects responses and that the local gateway does not support. */
export function parseResources(template: unknown): Resources {
  const { Resources: resources } = z.object({ Resources: z.record(z.string(), resource) }).parse(template)
  for (const [id, { Type, Condition }] of Object.entries(resources)) {
    if (!/^AWS::(ApiGateway|ApiGatewayV2|Lambda|SSM|Serverless)::/.test(Type)) continue
    if (supportedTypes[Type] === undefined) throw new UnsupportedTemplate(id, `${Type} is not supported.`)
    if (Condition !== undefined) throw new UnsupportedTemplate(`${id}.Condition`, 'A condition is not supported.')
  }
  return resources
}

/** Parses the properties of all resources of a type, by logical id. */
export function assertAllSupported<S extends z.ZodType>(schema: S, type: string, resources: Resources) {
  const ids = Object.keys(resources).filter(id => resources[id]?.Type === type)
  return new Map(ids.map(id => [id, assertSupported(schema, id, resources)]))
}

/**
 * Parses the properties of a resource, with the functions of CloudFormation resolved.
 *
 * @throws {UnsupportedTemplate} with the path of the first property that the schema does not have, or whose value it rejects.
 */
export function assertSupported<S extends z.ZodType>(schema: S, id: string, resources: Resources): z.output<S> {
  const { Type = '', Properties = {} } = resources[id] ?? {}
  const properties = Object.entries(Properties).filter(([name]) => !supportedTypes[Type]?.includes(name))
  const { data, error } = schema.safeParse(resolve(Object.fromEntries(properties), id, resources))
  if (error === undefined) return data
  const [issue] = error.issues
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const reason = unknown.length > 0 ? 'This property is not supported.' : `${issue?.message}.`
  throw new UnsupportedTemplate([id, ...(issue?.path ?? []), ...unknown].join('.'), reason)
}

/**
 * Replaces `Ref`, `Fn::GetAtt` and `Fn::Join` in a value with their texts.
 *
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference.html
 */
function resolve(value: unknown, path: string, resources: Resources): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item, index) => resolve(item, `${path}.${index}`, resources))
  const entries = Object.entries(value)
  if (!entries.some(([name]) => name === 'Ref' || name.startsWith('Fn::'))) {
    return Object.fromEntries(entries.map(([name, item]) => [name, resolve(item, `${path}.${name}`, resources)]))
  }
  const { data } = intrinsicFunction.safeParse(value)
  if (data === undefined) throw new UnsupportedTemplate(path, `${JSON.stringify(value)} is not supported.`)
  if ('Ref' in data) return pseudoParameters[data.Ref] ?? resolveAttribute(data.Ref, 'Ref', path, resources)
  if ('Fn::GetAtt' in data) return resolveAttribute(...data['Fn::GetAtt'], path, resources)
  const [separator, parts] = data['Fn::Join']
  return parts.map(part => resolve(part, path, resources)).join(separator)
}

const intrinsicFunction = z.union([
  z.strictObject({ Ref: z.string() }),
  z.strictObject({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) }),
  z.strictObject({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) }),
])

function resolveAttribute(id: string, name: string, path: string, resources: Resources): unknown {
  const type = resources[id]?.Type ?? 'not a resource'
  const resolveProperty = (key: string) => resolve(resources[id]?.Properties[key], `${id}.${key}`, resources)
  switch (`${type} ${name}`) {
    // AWS generates these ids. Here they are the logical ids.
    case 'AWS::ApiGateway::Resource Ref':
    case 'AWS::ApiGateway::RestApi Ref':
    case 'AWS::Lambda::Function Ref':
      return id
    case 'AWS::ApiGateway::RestApi RootResourceId':
      return rootResourceId
    case 'AWS::ApiGateway::Stage Ref':
      return resolveProperty('StageName')
    case 'AWS::CloudFront::Distribution DomainName':
      return `${id}.cloudfront.net`.toLowerCase()
    case 'AWS::Lambda::Function Arn':
      return toFunctionArn(id)
    case 'AWS::Lambda::Alias Ref':
      return `${toFunctionArn(String(resolveProperty('FunctionName')))}:${resolveProperty('Name')}`
    case 'AWS::SSM::Parameter Ref':
      return resolveProperty('Name')
    case 'AWS::SSM::Parameter Value':
      return resolveProperty('Value')
    default:
      throw new UnsupportedTemplate(path, `${name} of ${id} (${type}) is not supported.`)
  }
}

/** The id of an API's root resource, `/`. */
export const rootResourceId = 'root'

/** The account of the local run, which does not exist, and its region. */
export const accountId = '000000000000'
export const region = 'us-east-1'

export function toFunctionArn(name: string): string {
  return `arn:aws:lambda:${region}:${accountId}:function:${name}`
}

const pseudoParameters: Readonly<Record<string, string>> = {
  'AWS::AccountId': accountId,
  'AWS::Partition': 'aws',
  'AWS::Region': region,
  'AWS::URLSuffix': 'amazonaws.com',
}
