import { parseRecord, parseText, TemplateNotUnderstood } from './values.ts'

/** A resource of the template. */
export interface Resource {
  readonly logicalId: string
  readonly type: string
  readonly properties: Readonly<Record<string, unknown>>
  readonly metadata: Readonly<Record<string, unknown>>
}

/** All resources of the template, by logical id. */
export type Resources = ReadonlyMap<string, Resource>

/**
 * Parses the resources of a CloudFormation template.
 *
 * @throws {TemplateNotUnderstood} for a resource that would change how the API answers, in a way that is not played here.
 */
export function parseResources(template: unknown): Resources {
  const resources = parseRecord(parseRecord(template, 'The template')['Resources'], 'The template, Resources')
  return new Map(Object.entries(resources).map(([logicalId, resource]) => [logicalId, parse(logicalId, resource)]))
}

/** Finds all resources of a type. */
export function resourcesOf(resources: Resources, type: string): readonly Resource[] {
  return [...resources.values()].filter(resource => resource.type === type)
}

/**
 * Finds the one resource of a type.
 *
 * @throws {TemplateNotUnderstood} when there is none, or more than one.
 */
export function onlyResourceOf(resources: Resources, type: string): Resource {
  const [only, another] = resourcesOf(resources, type)
  if (only === undefined) throw new TemplateNotUnderstood('The template', `has no ${type}.`)
  if (another !== undefined) throw new TemplateNotUnderstood(another.logicalId, `is a second ${type}.`)
  return only
}

/**
 * Makes sure that an object has no property beyond those that are played here or change no answer.
 *
 * @throws {TemplateNotUnderstood} that names the first other property.
 */
export function refuseOthers(properties: object, where: string, understood: readonly string[]): void {
  const other = Object.keys(properties).find(name => !understood.includes(name))
  if (other !== undefined) throw new TemplateNotUnderstood(where, `the local gateway does not understand ${other}.`)
}

function parse(logicalId: string, resource: unknown): Resource {
  const { Type, Properties, Metadata, Condition } = parseRecord(resource, logicalId)
  const type = parseText(Type, `${logicalId} Type`)
  if (answering.test(type)) {
    if (!understoodTypes.includes(type)) {
      throw new TemplateNotUnderstood(logicalId, `the local gateway does not understand ${type}.`)
    }
    if (Condition !== undefined) {
      throw new TemplateNotUnderstood(logicalId, 'the local gateway does not understand conditions.')
    }
  }
  const properties = parseRecord(Properties, `${logicalId} Properties`)
  return { logicalId, type, properties, metadata: parseRecord(Metadata, `${logicalId} Metadata`) }
}

/** Types that have a say in how the API answers. */
const answering = /^AWS::(ApiGateway|ApiGatewayV2|Lambda|SSM|Serverless)::/

const understoodTypes = [
  'AWS::ApiGateway::RestApi',
  'AWS::ApiGateway::Resource',
  'AWS::ApiGateway::Method',
  'AWS::ApiGateway::GatewayResponse',
  'AWS::ApiGateway::Stage',
  'AWS::Lambda::Function',
  'AWS::SSM::Parameter',
  // What follows changes where and for whom the API answers, or nothing at all.
  'AWS::ApiGateway::Account',
  'AWS::ApiGateway::BasePathMapping',
  'AWS::ApiGateway::Deployment',
  'AWS::ApiGateway::DomainName',
  'AWS::Lambda::Permission',
]
