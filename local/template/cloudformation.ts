import { z } from 'zod'
import { StartFailure } from '../run-command.ts'

/** The template has something that the local run does not support. AWS may support it. */
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
  Condition: z.never('A condition is not supported').optional(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  Metadata: z.record(z.string(), z.unknown()).default({}),
})

/** All resources of a template, by logical id. */
export type Resources = Readonly<Record<string, z.output<typeof resource>>>

/** The supported types of resources, each with the properties that change no response of the local run. */
const supportedTypes: Readonly<Record<string, readonly string[]>> = {
  'AWS::ApiGateway::RestApi': ['Description', 'EndpointAccessMode', 'EndpointConfiguration', 'Name', 'SecurityPolicy'],
  'AWS::ApiGateway::Resource': ['RestApiId'],
  // Without a validator, the declared parameters of a request are not checked.
  'AWS::ApiGateway::Method': ['MethodResponses', 'RequestParameters', 'RestApiId'],
  'AWS::ApiGateway::GatewayResponse': ['RestApiId'],
  'AWS::ApiGateway::Stage': ['AccessLogSetting', 'CacheClusterSize', 'DeploymentId', 'RestApiId'],
  // The only version is the latest.
  'AWS::Lambda::Alias': ['FunctionVersion', 'Name'],
  'AWS::Lambda::Function': ['Architectures', 'Code', 'LoggingConfig', 'ReservedConcurrentExecutions', 'Role'],
  'AWS::SSM::Parameter': ['Description', 'Type'],
  // These change the API's address, permissions and versions. Their properties are not parsed.
  'AWS::ApiGateway::BasePathMapping': [],
  'AWS::ApiGateway::Deployment': [],
  'AWS::ApiGateway::DomainName': [],
  'AWS::Lambda::Permission': [],
  'AWS::Lambda::Version': [],
}

/** @throws {UnsupportedTemplate} for a resource that affects responses and that the local run does not support */
export function parseResources(template: unknown): Resources {
  const { Resources: resources } = parse(z.object({ Resources: z.record(z.string(), resource) }), template, 'Template')
  for (const [id, { Type }] of Object.entries(resources)) {
    if (!/^AWS::(ApiGateway|ApiGatewayV2|Lambda|SSM|Serverless)::/.test(Type)) continue
    if (supportedTypes[Type] === undefined) throw new UnsupportedTemplate(id, `${Type} is not supported.`)
  }
  return resources
}

/** Parses the value of an output. */
export function parseOutput(template: unknown, name: string): string {
  const outputs = z.object({ Outputs: z.object({ [name]: z.object({ Value: text }) }) })
  return parse(outputs, template, 'Template').Outputs[name]?.Value ?? ''
}

/** Finds the logical ids of all resources of a type. */
export function findIds(type: string, resources: Resources): readonly string[] {
  return Object.keys(resources).filter(id => resources[id]?.Type === type)
}

/**
 * Parses the properties of a resource.
 *
 * @throws {UnsupportedTemplate} with the path of the first property that the schema does not have, or whose value it rejects
 */
export function assertSupported<S extends z.ZodType>(schema: S, id: string, resources: Resources): z.output<S> {
  const { Type = '', Properties = {} } = resources[id] ?? {}
  const properties = Object.entries(Properties).filter(([name]) => !supportedTypes[Type]?.includes(name))
  return parse(schema, Object.fromEntries(properties), id)
}

function parse<S extends z.ZodType>(schema: S, value: unknown, id: string): z.output<S> {
  const { data, error } = schema.safeParse(value)
  if (error === undefined) return data
  const [issue] = error.issues
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const path = [id, ...(issue?.path ?? []), ...unknown].join('.')
  throw new UnsupportedTemplate(path, unknown.length > 0 ? 'This property is not supported.' : `${issue?.message}.`)
}

/** A reference to another resource, parsed to its logical id. */
export const reference = z.strictObject({ Ref: z.string() }).transform(({ Ref }) => Ref)

/** A text, or one that CloudFormation joins. The names of references in it are in braces. */
export const text = z.union([
  z.string(),
  z
    .strictObject({
      'Fn::Join': z.tuple([z.literal(''), z.array(z.union([z.string(), reference.transform(name => `{${name}}`)]))]),
    })
    .transform(({ 'Fn::Join': [, parts] }) => parts.join('')),
])
