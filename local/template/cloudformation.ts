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

/**
 * Parses a part of the template.
 *
 * @throws {UnsupportedTemplate} with the path of the first property that the schema does not have, or whose value it rejects.
 */
export function assertSupported<S extends z.ZodType>(schema: S, value: unknown, path: string): z.output<S> {
  const { data, error } = schema.safeParse(value)
  if (error === undefined) return data
  const [issue] = error.issues
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const reason = unknown.length > 0 ? 'This property is not supported.' : `${issue?.message}.`
  throw new UnsupportedTemplate([path, ...(issue?.path ?? []), ...unknown].join('.'), reason)
}

/** All resources of a template, by logical id. */
export type Resources = Readonly<Record<string, z.output<typeof resource>>>

/** A resource of a template, before its properties are parsed. */
export const resource = z.object({
  Type: z.string(),
  Condition: z.unknown().optional(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  Metadata: z.record(z.string(), z.unknown()).default({}),
})

/**
 * Converts a value to the text that CloudFormation makes of it: a text, `Ref`, `Fn::GetAtt` or `Fn::Join`.
 *
 * @param path where the value is, for the error
 * @throws {UnsupportedTemplate} for any other function or reference.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference.html
 */
export function resolve(value: unknown, resources: Resources, path: string): string {
  const parsed = assertSupported(expression, value, path)
  if (typeof parsed === 'string') return parsed
  if ('Ref' in parsed) return pseudoParameters[parsed.Ref] ?? resolveAttribute(parsed.Ref, 'Ref', resources, path)
  if ('Fn::GetAtt' in parsed) return resolveAttribute(...parsed['Fn::GetAtt'], resources, path)
  const [separator, parts] = parsed['Fn::Join']
  return parts.map(part => resolve(part, resources, path)).join(separator)
}

const expression = z.union(
  [
    z.string(),
    z.strictObject({ Ref: z.string() }),
    z.strictObject({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) }),
    z.strictObject({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) }),
  ],
  { error: ({ input }) => `The value ${JSON.stringify(input)} is not supported` },
)

function resolveAttribute(logicalId: string, name: string, resources: Resources, path: string): string {
  const Type = resources[logicalId]?.Type ?? 'not a resource'
  const Properties = resources[logicalId]?.Properties ?? {}
  switch (`${Type} ${name}`) {
    // AWS generates these ids. Here they are the logical ids.
    case 'AWS::ApiGateway::Resource Ref':
    case 'AWS::ApiGateway::RestApi Ref':
      return logicalId
    case 'AWS::ApiGateway::RestApi RootResourceId':
      return rootResourceId
    case 'AWS::ApiGateway::Stage Ref':
      return resolve(Properties['StageName'], resources, `${logicalId}.StageName`)
    case 'AWS::Lambda::Function Arn':
      return toFunctionArn(logicalId)
    case 'AWS::SSM::Parameter Ref':
      return resolve(Properties['Name'], resources, `${logicalId}.Name`)
    case 'AWS::SSM::Parameter Value':
      return resolve(Properties['Value'], resources, `${logicalId}.Value`)
    default:
      throw new UnsupportedTemplate(path, `${name} of ${logicalId} (${Type}) is not supported.`)
  }
}

/** The id of an API's root resource, `/`. */
export const rootResourceId = 'root'

/** The account of the local run: one that does not exist. */
export const accountId = '000000000000'

/** The region of the local run. */
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
