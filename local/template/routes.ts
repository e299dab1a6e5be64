import type { z } from 'zod'
import { assertSupported, type Resources, resolve, rootResourceId, UnsupportedTemplate } from './cloudformation.ts'
import { renderResponseTemplate } from './response-template.ts'
import * as schemas from './schemas.ts'

/** One method of one resource of the API. */
export interface Route {
  readonly resourceId: string
  /** Its segments are texts and `{parameters}`: `/price/{symbol}`. */
  readonly resourcePath: string
  readonly httpMethod: string
  /** The parameters that the method declares, and whether each is required. Without a validator, this is not checked. */
  readonly requestParameters: Readonly<Record<string, boolean>>
  readonly integration: Integration
  readonly settings: MethodSettings
}

/** The source of a method's responses. */
type Integration = FunctionIntegration | MockIntegration

export interface FunctionIntegration {
  readonly type: 'AWS_PROXY'
  /** The function's logical id. */
  readonly functionId: string
  readonly timeoutMs: number
  /** The request parameters in the cache key, such as `method.request.path.symbol`. */
  readonly cacheKeyParameters: readonly string[]
}

/** A fixed response. */
interface MockIntegration {
  readonly type: 'MOCK'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Empty without a response template. */
  readonly body: string
  /** The content types that have a request template. A request without a content type counts as JSON. */
  readonly contentTypes: readonly string[]
  /** Whether other content types reach the integration, which then fails: no template sets a status. */
  readonly passesOthers: boolean
}

/** The stage's settings for one method. */
interface MethodSettings {
  /** Undefined: the method's responses are not cached. */
  readonly cacheTtlMs: number | undefined
  readonly throttling: { readonly requestsPerSecond: number; readonly burst: number }
}

type StageSettings = readonly z.output<typeof schemas.methodSettings>[]

/**
 * Parses the methods of the API, each with its settings.
 *
 * @throws {UnsupportedTemplate} also for settings of a method that the API does not have, which CloudFormation rejects.
 */
export function parseRoutes(resources: Resources, stageId: string, settings: StageSettings): readonly Route[] {
  const ids = Object.keys(resources).filter(id => resources[id]?.Type === 'AWS::ApiGateway::Method')
  const routes = ids.map(id => parseRoute(resources, id, settings))
  const known = [forAll, ...routes.map(({ resourcePath, httpMethod }) => toSettingsKey(resourcePath, httpMethod))]
  const index = settings.findIndex(({ ResourcePath, HttpMethod }) => !known.includes(`${ResourcePath} ${HttpMethod}`))
  if (index < 0) return routes
  throw new UnsupportedTemplate(`${stageId}.MethodSettings.${index}`, 'The API does not have this method.')
}

function parseRoute(resources: Resources, id: string, settings: StageSettings): Route {
  const properties = assertSupported(schemas.method, resources[id]?.Properties, id)
  const { HttpMethod: httpMethod, RequestParameters: requestParameters } = properties
  const resourceId = resolve(properties.ResourceId, resources, `${id}.ResourceId`)
  const resourcePath = toPath(resources, resourceId)
  const integration = toIntegration(properties.Integration, resources, `${id}.Integration`)
  const cacheKey = integration.type === 'AWS_PROXY' ? integration.cacheKeyParameters : []
  const undeclared = cacheKey.find(parameter => !Object.hasOwn(requestParameters, parameter))
  // CloudFormation rejects it only at deployment.
  if (undeclared !== undefined) throw new UnsupportedTemplate(`${id}.RequestParameters`, `${undeclared} is missing.`)
  const key = toSettingsKey(resourcePath, httpMethod)
  return { resourceId, resourcePath, httpMethod, requestParameters, integration, settings: findSettings(settings, key) }
}

function toPath(resources: Resources, resourceId: string): string {
  if (resourceId === rootResourceId) return '/'
  const { ParentId, PathPart } = assertSupported(schemas.apiResource, resources[resourceId]?.Properties, resourceId)
  const parent = toPath(resources, resolve(ParentId, resources, `${resourceId}.ParentId`))
  return `${parent === '/' ? '' : parent}/${PathPart}`
}

function toIntegration(
  integration: z.output<typeof schemas.method>['Integration'],
  resources: Resources,
  path: string,
): Integration {
  if (integration.Type === 'AWS_PROXY') {
    const uri = resolve(integration.Uri, resources, `${path}.Uri`)
    const functionId = /:lambda:path\/2015-03-31\/functions\/[^/]*:function:([^/:]+)\/invocations$/.exec(uri)?.[1]
    if (functionId === undefined) throw new UnsupportedTemplate(`${path}.Uri`, `${uri} is not the URI of a function.`)
    const { TimeoutInMillis: timeoutMs, CacheKeyParameters: cacheKeyParameters } = integration
    return { type: 'AWS_PROXY', functionId, timeoutMs, cacheKeyParameters }
  }
  const [{ StatusCode: status, ResponseParameters: headers, ResponseTemplates }] = integration.IntegrationResponses
  const [template, second] = Object.entries(ResponseTemplates)
  if (second !== undefined) throw new UnsupportedTemplate(path, 'A second response template is not supported.')
  const contentTypes = Object.keys(integration.RequestTemplates)
  const behavior = integration.PassthroughBehavior
  const passesOthers = behavior === 'WHEN_NO_MATCH' || (behavior === 'WHEN_NO_TEMPLATES' && contentTypes.length === 0)
  const fixed = { type: 'MOCK', status, contentTypes, passesOthers } as const
  if (template === undefined) return { ...fixed, headers, body: '' }
  const [mediaType, text] = template
  const hasType = Object.keys(headers).some(name => name.toLowerCase() === 'content-type')
  const body = renderResponseTemplate(text, `${path}.IntegrationResponses.0.ResponseTemplates.${mediaType}`)
  return { ...fixed, headers: hasType ? headers : { ...headers, 'Content-Type': mediaType }, body }
}

/** Finds a method's own settings, or those for all methods. A method's own settings inherit nothing from those for all. */
function findSettings(settings: StageSettings, key: string): MethodSettings {
  const find = (wanted: string) =>
    settings.find(({ ResourcePath, HttpMethod }) => `${ResourcePath} ${HttpMethod}` === wanted)
  const found = find(key) ?? find(forAll) ?? schemas.methodSettings.parse({ ResourcePath: '/*', HttpMethod: '*' })
  return {
    cacheTtlMs: found.CachingEnabled && found.CacheTtlInSeconds > 0 ? 1_000 * found.CacheTtlInSeconds : undefined,
    throttling: { requestsPerSecond: found.ThrottlingRateLimit, burst: found.ThrottlingBurstLimit },
  }
}

const forAll = '/* *'

/** The settings write a path as in a JSON pointer: `~1` is a slash. */
function toSettingsKey(resourcePath: string, httpMethod: string): string {
  return `/${resourcePath.replaceAll('/', '~1')} ${httpMethod}`
}
