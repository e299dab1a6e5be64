import { accountId, region } from '../place.ts'
import type { Resource, Resources } from './resources.ts'
import { parseList, parseRecord, parseText, TemplateNotUnderstood } from './values.ts'

/**
 * Gives the text that CloudFormation makes of a value: of a text itself, `Ref`, `Fn::GetAtt`, `Fn::Join` and `Fn::Sub`.
 *
 * @throws {TemplateNotUnderstood} that says where, for any other function or reference.
 */
export type Resolve = (value: unknown, where: string) => string

/** Makes the resolver of a template's values. */
export function createResolve(resources: Resources): Resolve {
  const resolve: Resolve = (value, where) => {
    if (typeof value === 'string') return value
    const [[name, argument] = ['', undefined], ...others] = Object.entries(parseRecord(value, where))
    if (others.length === 0) {
      if (name === 'Ref') return ref(parseText(argument, where), where)
      if (name === 'Fn::GetAtt')
        return attribute(
          parseList(argument, where).map(part => parseText(part, where)),
          where,
        )
      if (name === 'Fn::Join') return join(parseList(argument, where), where)
      if (name === 'Fn::Sub') return substitute(argument, where)
    }
    throw new TemplateNotUnderstood(where, `the local gateway does not understand ${JSON.stringify(value)}.`)
  }

  function ref(name: string, where: string): string {
    const pseudoParameter = pseudoParameters[name]
    if (pseudoParameter !== undefined) return pseudoParameter
    const resource = find(name, where)
    const property = namedByProperty[resource.type]
    if (property !== undefined) return resolve(resource.properties[property], `${name} ${property}`)
    if (namedByLogicalId.includes(resource.type)) return name
    throw new TemplateNotUnderstood(where, `the local gateway does not know the Ref of ${name}, ${resource.type}.`)
  }

  function attribute([name = '', key = '']: readonly string[], where: string): string {
    const { type, properties } = find(name, where)
    if (type === 'AWS::Lambda::Function' && key === 'Arn') return toFunctionArn(name)
    if (type === 'AWS::ApiGateway::RestApi' && key === 'RootResourceId') return rootResourceId
    if (type === 'AWS::SSM::Parameter' && key === 'Value') return resolve(properties['Value'], `${name} Value`)
    throw new TemplateNotUnderstood(where, `the local gateway does not know ${key} of ${name}, ${type}.`)
  }

  function join([separator, parts]: readonly unknown[], where: string): string {
    return parseList(parts, where)
      .map(part => resolve(part, where))
      .join(parseText(separator, where))
  }

  function substitute(argument: unknown, where: string): string {
    const [text, given] = Array.isArray(argument) ? argument : [argument, undefined]
    const variables = parseRecord(given, where)
    return parseText(text, where).replace(/\$\{(!?)([^}]*)\}/g, (_, literal: string, name: string) => {
      if (literal !== '') return `\${${name}}`
      if (Object.hasOwn(variables, name)) return resolve(variables[name], where)
      return name.includes('.') ? attribute(name.split('.'), where) : ref(name, where)
    })
  }

  function find(name: string, where: string): Resource {
    const resource = resources.get(name)
    if (resource === undefined) {
      throw new TemplateNotUnderstood(where, `the local gateway does not know ${name}, which is no resource.`)
    }
    return resource
  }

  return resolve
}

/** The id of every API's root resource, `/`. */
export const rootResourceId = 'root'

/** Gives the address of a function. */
export function toFunctionArn(name: string): string {
  return `arn:aws:lambda:${region}:${accountId}:function:${name}`
}

const pseudoParameters: Readonly<Record<string, string>> = {
  'AWS::AccountId': accountId,
  'AWS::Partition': 'aws',
  'AWS::Region': region,
  'AWS::URLSuffix': 'amazonaws.com',
}

/** Types whose `Ref` is one of their properties. */
const namedByProperty: Readonly<Record<string, string>> = {
  'AWS::ApiGateway::Stage': 'StageName',
  'AWS::SSM::Parameter': 'Name',
}

/** Types whose `Ref` is an id that AWS makes up: here it is the logical id. */
const namedByLogicalId = ['AWS::ApiGateway::Resource', 'AWS::ApiGateway::RestApi', 'AWS::Lambda::Function']
