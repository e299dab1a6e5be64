import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import {
  assertSupported,
  findIds,
  parseOutput,
  parseResources,
  type Resources,
  UnsupportedTemplate,
} from './cloudformation.ts'
import { type GatewayResponses, parseGatewayResponses } from './responses.ts'
import { methodSettings, parseRoutes, type Route } from './routes.ts'

/** The API of a synthesised stack. */
export interface Template {
  readonly stageName: string
  /** The URL above the routes, as it is in the template's texts. */
  readonly baseUrl: string
  /** Whether the stage has a cache, which methods may use. */
  readonly cacheCluster: boolean
  readonly routes: readonly Route[]
  readonly gatewayResponses: GatewayResponses
  /** The functions of the routes, by logical id. */
  readonly functions: ReadonlyMap<string, LambdaFunction>
  /** The values of the parameters that the stack creates in Parameter Store, by name. */
  readonly parameters: ReadonlyMap<string, string>
}

/** A function of the template, and its bundle on this machine. */
export interface LambdaFunction {
  /** The construct's name in the stack: `GetPrice`. */
  readonly name: string
  /** The bundle's file. Its export `handler` handles invocations. */
  readonly entry: string
  /** `nodejs24.x` */
  readonly runtime: string
  readonly timeoutMs: number
  readonly memoryMb: number
  readonly environment: Readonly<Record<string, string>>
}

const stage = z.strictObject({
  StageName: z.string(),
  CacheClusterEnabled: z.boolean(),
  MethodSettings: methodSettings,
})

const parameter = z.strictObject({ Name: z.string(), Value: z.string() })

/**
 * Reads the API of the stack from the template that `cdk synth` wrote beside its bundles.
 *
 * @param path the template's file: `cdk.out/….template.json`
 * @throws {UnsupportedTemplate} for everything that affects responses and that the environment `dev` does not have
 * @example
 * const { routes } = await readTemplate('cdk.out/price-lookup-dev.template.json')
 */
export async function readTemplate(path: string): Promise<Template> {
  return parseTemplate(JSON.parse(await readFile(path, 'utf8')), dirname(path))
}

/** Parses a template, whose bundles are in a folder. */
export function parseTemplate(template: unknown, folder: string): Template {
  const resources = parseResources(template)
  assertSupported(z.strictObject({}), findOnly('AWS::ApiGateway::RestApi', resources), resources)
  const stageId = findOnly('AWS::ApiGateway::Stage', resources)
  const { StageName, CacheClusterEnabled, MethodSettings } = assertSupported(stage, stageId, resources)
  const baseUrl = parseOutput(template, 'BaseUrl')
  const routes = parseRoutes(resources, MethodSettings)
  const functionIds = routes.flatMap(({ integration }) => ('functionId' in integration ? [integration.functionId] : []))
  const parameters = findIds('AWS::SSM::Parameter', resources).map(id => assertSupported(parameter, id, resources))
  return {
    stageName: StageName,
    baseUrl,
    cacheCluster: CacheClusterEnabled,
    routes,
    gatewayResponses: parseGatewayResponses(resources),
    functions: new Map(functionIds.map(id => [id, parseFunction(id, resources, folder, baseUrl)])),
    parameters: new Map(parameters.map(({ Name, Value }) => [Name, Value])),
  }
}

function findOnly(type: string, resources: Resources): string {
  const [only, ...rest] = findIds(type, resources)
  if (only === undefined || rest.length > 0) throw new UnsupportedTemplate('Resources', `Expected one ${type}.`)
  return only
}

const lambdaFunction = z.strictObject({
  Handler: z.literal('index.handler'),
  Runtime: z.string(),
  Timeout: z.number(),
  MemorySize: z.number(),
  Environment: z.strictObject({
    Variables: z.record(z.string(), z.string()),
  }),
})

/** What CDK notes of a function: the folder of its bundle, and its construct's path (`price-lookup-dev/GetPrice/Resource`). */
const functionMetadata = z.object({ 'aws:asset:path': z.string(), 'aws:cdk:path': z.string() })

function parseFunction(id: string, resources: Resources, folder: string, baseUrl: string): LambdaFunction {
  const { Runtime, Timeout, MemorySize, Environment } = assertSupported(lambdaFunction, id, resources)
  const { 'aws:asset:path': asset, 'aws:cdk:path': construct } = functionMetadata.parse(resources[id]?.Metadata)
  // Without the public URL: the API is at the local gateway's.
  const variables = Object.entries(Environment.Variables).filter(([, value]) => value !== baseUrl)
  return {
    name: construct.split('/').at(-2) ?? id,
    entry: resolve(folder, asset, 'index.js'),
    runtime: Runtime,
    timeoutMs: 1_000 * Timeout,
    memoryMb: MemorySize,
    environment: Object.fromEntries(variables),
  }
}
