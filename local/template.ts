import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, resolve as resolvePath } from 'node:path'
import { z } from 'zod'
import { type EdgeSettings, parseEdge } from './edge.ts'
import {
  assertAllSupported,
  assertSupported,
  parseResources,
  type Resources,
  UnsupportedTemplate,
} from './template/cloudformation.ts'
import { type GatewayResponse, gatewayResponse } from './template/responses.ts'
import { methodSettings, parseRoutes, type Route } from './template/routes.ts'

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
  /** The distribution before the API; undefined without one. */
  readonly edge: EdgeSettings | undefined
  /** The values of the parameters that the stack creates in Parameter Store, by name. */
  readonly parameters: ReadonlyMap<string, string>
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

const restApi = z.strictObject({})

const stage = z.strictObject({
  StageName: z.string(),
  CacheClusterEnabled: z.boolean().default(false),
  MethodSettings: z.array(methodSettings).default([]),
})

/** Without shares of several versions: here the only version is the latest. */
const alias = z.strictObject({ FunctionName: z.string(), Name: z.string() })

const parameter = z.strictObject({ Name: z.string(), Value: z.string() })

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
  const apiId = findOnly('AWS::ApiGateway::RestApi', resources)
  assertSupported(restApi, apiId, resources)
  const stageId = findOnly('AWS::ApiGateway::Stage', resources)
  const { StageName, CacheClusterEnabled, MethodSettings } = assertSupported(stage, stageId, resources)
  const routes = parseRoutes(resources, stageId, MethodSettings)
  const functionIds = routes.flatMap(({ integration }) => ('functionId' in integration ? [integration.functionId] : []))
  assertAllSupported(alias, 'AWS::Lambda::Alias', resources)
  const gatewayResponses = assertAllSupported(gatewayResponse, 'AWS::ApiGateway::GatewayResponse', resources)
  const parameters = assertAllSupported(parameter, 'AWS::SSM::Parameter', resources)
  return {
    apiId,
    stageName: StageName,
    cacheCluster: CacheClusterEnabled,
    routes,
    edge: parseEdge(resources),
    gatewayResponses: new Map(gatewayResponses.values()),
    functions: new Map(functionIds.map(id => [id, parseFunction(id, resources, dirname(path))])),
    parameters: new Map([...parameters.values()].map(({ Name, Value }) => [Name, Value])),
  }
}

function findOnly(type: string, resources: Resources): string {
  const [only, second] = Object.keys(resources).filter(id => resources[id]?.Type === type)
  if (only === undefined) throw new UnsupportedTemplate('Resources', `There is no ${type}.`)
  if (second !== undefined) throw new UnsupportedTemplate(second, `A second ${type} is not supported.`)
  return only
}

const lambdaFunction = z.strictObject({
  Handler: z.string().regex(/^[^.]+\.[^.]+$/, 'Expected FILE.EXPORT'),
  Runtime: z.string(),
  Timeout: z.number().min(0).default(3),
  MemorySize: z.number().min(0).default(128),
  Environment: z.strictObject({ Variables: z.record(z.string(), z.string()).default({}) }).default({ Variables: {} }),
})

/** What CDK notes of a function: the folder of its bundle, and its construct's path (`price-lookup-dev/GetPrice/Resource`). */
const functionMetadata = z.object({ 'aws:asset:path': z.string(), 'aws:cdk:path': z.string() })

function parseFunction(id: string, resources: Resources, folder: string): LambdaFunction {
  if (resources[id]?.Type !== 'AWS::Lambda::Function') throw new UnsupportedTemplate(id, 'Expected a function.')
  const { Handler, Runtime, Timeout, MemorySize, Environment } = assertSupported(lambdaFunction, id, resources)
  const { 'aws:asset:path': asset, 'aws:cdk:path': construct } = functionMetadata.parse(resources[id]?.Metadata)
  const [module = '', handlerName = ''] = Handler.split('.')
  const bundle = resolvePath(folder, asset, module)
  const entry = [`${bundle}.js`, `${bundle}.mjs`].find(existsSync)
  if (entry === undefined) throw new UnsupportedTemplate(id, `There is no ${bundle}.js or .mjs.`)
  return {
    logicalId: id,
    name: construct.split('/').at(-2) ?? id,
    entry,
    handlerName,
    runtime: Runtime,
    timeoutMs: 1_000 * Timeout,
    memoryMb: MemorySize,
    environment: Environment.Variables,
  }
}
