import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, resolve as resolvePath } from 'node:path'
import { z } from 'zod'
import { assertSupported, type Resources, resolve, resource, UnsupportedTemplate } from './template/cloudformation.ts'
import { parseRoutes, type Route } from './template/routes.ts'
import * as schemas from './template/schemas.ts'

/** The API of a synthesised stack. */
export interface Template {
  /** The API's logical id. */
  readonly apiId: string
  readonly stageName: string
  /** Whether the stage has a cache, which methods may use. */
  readonly cacheCluster: boolean
  readonly routes: readonly Route[]
  /** The gateway's own responses, by response type. */
  readonly gatewayResponses: ReadonlyMap<string, GatewayResponse>
  /** The functions of the routes, by logical id. */
  readonly functions: ReadonlyMap<string, LambdaFunction>
  /** The values of the parameters that the stack creates in Parameter Store, by name. */
  readonly parameters: ReadonlyMap<string, string>
}

/** A response that the gateway makes without an integration. */
export interface GatewayResponse {
  /** Undefined: the default status of the response type. */
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string>>
  /** Undefined: API Gateway's default body. */
  readonly body: string | undefined
}

/** A function of the template, and its bundle on this machine. */
export interface LambdaFunction {
  readonly logicalId: string
  /** The construct's name in the stack: `GetPrice`. */
  readonly name: string
  /** The bundle's file. */
  readonly entry: string
  /** The bundle's export that handles invocations. */
  readonly handlerName: string
  /** `nodejs24.x` */
  readonly runtime: string
  readonly timeoutMs: number
  readonly memoryMb: number
  readonly environment: Readonly<Record<string, string>>
}

/**
 * Reads the API of one stack from the template that `cdk synth` wrote beside its bundles.
 *
 * @param path the template's file: `cdk.out/….template.json`
 * @throws {UnsupportedTemplate} for everything that affects responses and that the local gateway does not support.
 * @example
 * const { routes } = await readTemplate('cdk.out/price-lookup-dev.template.json')
 */
export async function readTemplate(path: string): Promise<Template> {
  const resources = parseResources(JSON.parse(await readFile(path, 'utf8')))
  const apiId = findOnly(resources, 'AWS::ApiGateway::RestApi')
  assertSupported(schemas.restApi, resources[apiId]?.Properties, apiId)
  const stageId = findOnly(resources, 'AWS::ApiGateway::Stage')
  const stage = assertSupported(schemas.stage, resources[stageId]?.Properties, stageId)
  const routes = parseRoutes(resources, stageId, stage.MethodSettings)
  const functionIds = routes.flatMap(({ integration }) => ('functionId' in integration ? [integration.functionId] : []))
  const responseIds = idsOf(resources, 'AWS::ApiGateway::GatewayResponse')
  return {
    apiId,
    stageName: resolve(stage.StageName, resources, `${stageId}.StageName`),
    cacheCluster: stage.CacheClusterEnabled,
    routes,
    gatewayResponses: new Map(responseIds.map(id => parseGatewayResponse(resources, id))),
    functions: new Map(functionIds.map(id => [id, parseFunction(resources, id, dirname(path))])),
    parameters: new Map(idsOf(resources, 'AWS::SSM::Parameter').map(id => parseParameter(resources, id))),
  }
}

/** Parses the resources, without the properties that change no response. */
function parseResources(template: unknown): Resources {
  const { Resources: resources } = z.object({ Resources: z.record(z.string(), resource) }).parse(template)
  for (const [id, { Type, Condition, Properties }] of Object.entries(resources)) {
    if (!/^AWS::(ApiGateway|ApiGatewayV2|Lambda|SSM|Serverless)::/.test(Type)) continue
    const ignored = schemas.supportedTypes[Type]
    if (ignored === undefined) throw new UnsupportedTemplate(id, `${Type} is not supported.`)
    if (Condition !== undefined) throw new UnsupportedTemplate(`${id}.Condition`, 'A condition is not supported.')
    for (const name of ignored) delete Properties[name]
  }
  return resources
}

function idsOf(resources: Resources, type: string): string[] {
  return Object.keys(resources).filter(id => resources[id]?.Type === type)
}

function findOnly(resources: Resources, type: string): string {
  const [only, second] = idsOf(resources, type)
  if (only === undefined) throw new UnsupportedTemplate('Resources', `There is no ${type}.`)
  if (second !== undefined) throw new UnsupportedTemplate(second, `A second ${type} is not supported.`)
  return only
}

function parseGatewayResponse(resources: Resources, id: string): [type: string, response: GatewayResponse] {
  const properties = assertSupported(schemas.gatewayResponse, resources[id]?.Properties, id)
  const { ResponseType, StatusCode: status, ResponseParameters: headers, ResponseTemplates } = properties
  return [ResponseType, { status, headers, body: ResponseTemplates['application/json'] }]
}

function parseParameter(resources: Resources, id: string): [name: string, value: string] {
  const { Name, Value } = resources[id]?.Properties ?? {}
  return [resolve(Name, resources, `${id}.Name`), resolve(Value, resources, `${id}.Value`)]
}

function parseFunction(resources: Resources, id: string, folder: string): LambdaFunction {
  const { Type, Properties, Metadata } = resources[id] ?? {}
  if (Type !== 'AWS::Lambda::Function') throw new UnsupportedTemplate(id, 'This is not a function of the stack.')
  const properties = assertSupported(schemas.lambdaFunction, Properties, id)
  const metadata = assertSupported(schemas.functionMetadata, Metadata, `${id}.Metadata`)
  const [module = '', handlerName = ''] = properties.Handler.split('.')
  const bundle = resolvePath(folder, metadata['aws:asset:path'], module)
  const entry = [`${bundle}.js`, `${bundle}.mjs`].find(existsSync)
  if (entry === undefined) throw new UnsupportedTemplate(id, `There is no ${bundle}.js or .mjs.`)
  const environment = Object.entries(properties.Environment.Variables).map(([name, value]) => [
    name,
    resolve(value, resources, `${id}.Environment.Variables.${name}`),
  ])
  return {
    logicalId: id,
    name: metadata['aws:cdk:path'].split('/').at(-2) ?? id,
    entry,
    handlerName,
    runtime: properties.Runtime,
    timeoutMs: 1_000 * properties.Timeout,
    memoryMb: properties.MemorySize,
    environment: Object.fromEntries(environment),
  }
}
