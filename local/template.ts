import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type LambdaFunction, parseFunction } from './template/functions.ts'
import { type GatewayResponse, parseGatewayResponses } from './template/gateway-responses.ts'
import { parseStageSettings, refuseSettingsOfNoMethod } from './template/method-settings.ts'
import { createResolve, type Resolve } from './template/resolve.ts'
import {
  onlyResourceOf,
  parseResources,
  type Resource,
  type Resources,
  refuseOthers,
  resourcesOf,
} from './template/resources.ts'
import { parseRoutes, type Route } from './template/routes.ts'
import { parseFlag, TemplateNotUnderstood } from './template/values.ts'

/** The API that a synthesised stack describes. */
export interface Template {
  /** The API's logical id. */
  readonly apiId: string
  readonly stageName: string
  /** Whether the stage has a cache, which methods may use. */
  readonly cacheCluster: boolean
  readonly routes: readonly Route[]
  /** What the gateway answers by itself, by type of the case. */
  readonly gatewayResponses: ReadonlyMap<string, GatewayResponse>
  /** The functions that the routes name, by logical id. */
  readonly functions: ReadonlyMap<string, LambdaFunction>
  /** The Parameter Store's parameters that the stack creates: their values by name. */
  readonly parameters: ReadonlyMap<string, string>
}

/**
 * Reads the API of one stack from the template that `cdk synth` wrote, beside its bundles: `cdk.out/….template.json`.
 *
 * @throws {TemplateNotUnderstood} for everything in it that bears on an answer and cannot be played here.
 */
export async function readTemplate(path: string): Promise<Template> {
  const resources = parseResources(JSON.parse(await readFile(path, 'utf8')))
  const resolve = createResolve(resources)
  const api = onlyResourceOf(resources, 'AWS::ApiGateway::RestApi')
  refuseOthers(api.properties, api.logicalId, understoodOfApi)
  const stage = onlyResourceOf(resources, 'AWS::ApiGateway::Stage')
  refuseOthers(stage.properties, stage.logicalId, understoodOfStage)
  const settings = parseStageSettings(stage)
  const routes = parseRoutes(resources, resolve, settings)
  refuseSettingsOfNoMethod(settings, routes, stage)
  return {
    apiId: api.logicalId,
    stageName: resolve(stage.properties['StageName'], `${stage.logicalId} StageName`),
    cacheCluster: parseFlag(stage.properties['CacheClusterEnabled'], `${stage.logicalId} CacheClusterEnabled`),
    routes,
    gatewayResponses: parseGatewayResponses(resources),
    functions: parseFunctions(routes, resources, resolve, dirname(path)),
    parameters: parseParameters(resourcesOf(resources, 'AWS::SSM::Parameter'), resolve),
  }
}

function parseFunctions(
  routes: readonly Route[],
  resources: Resources,
  resolve: Resolve,
  cdkOut: string,
): ReadonlyMap<string, LambdaFunction> {
  const ids = routes.flatMap(({ integration }) => (integration.type === 'AWS_PROXY' ? [integration.functionId] : []))
  return new Map(
    ids.map(id => {
      const resource = resources.get(id)
      if (resource === undefined) throw new TemplateNotUnderstood(id, 'is a function of another stack.')
      return [id, parseFunction(resource, resolve, cdkOut)]
    }),
  )
}

function parseParameters(parameters: readonly Resource[], resolve: Resolve): ReadonlyMap<string, string> {
  return new Map(
    parameters.map(({ logicalId, properties }) => [
      resolve(properties['Name'], `${logicalId} Name`),
      resolve(properties['Value'], `${logicalId} Value`),
    ]),
  )
}

const understoodOfApi = [
  // These change where the API answers, and how it is shown to its owner.
  'Description',
  'DisableExecuteApiEndpoint',
  'EndpointConfiguration',
  'Name',
  'Tags',
]

const understoodOfStage = [
  'CacheClusterEnabled',
  'MethodSettings',
  'RestApiId',
  'StageName',
  // These change no answer.
  'AccessLogSetting',
  'CacheClusterSize',
  'DeploymentId',
  'Description',
  'Tags',
  'TracingEnabled',
]
