import { type Integration, parseIntegration } from './integration.ts'
import { findMethodSettings, type MethodSettings, type StageSettings } from './method-settings.ts'
import { type Resolve, rootResourceId } from './resolve.ts'
import { type Resource, type Resources, refuseOthers, resourcesOf } from './resources.ts'
import { parseFlag, parseRecord, parseText, TemplateNotUnderstood } from './values.ts'

/** One method of one resource of the API. */
export interface Route {
  readonly resourceId: string
  /** Its segments are texts and `{parameters}`: `/price/{symbol}`. */
  readonly resourcePath: string
  readonly httpMethod: string
  /** The request's parameters that the method declares, and whether each is required, which no one checks without a validator. */
  readonly requestParameters: Readonly<Record<string, boolean>>
  readonly integration: Integration
  readonly settings: MethodSettings
}

/** Parses the methods of the API. */
export function parseRoutes(resources: Resources, resolve: Resolve, settings: StageSettings): readonly Route[] {
  return resourcesOf(resources, 'AWS::ApiGateway::Method').map(method => {
    const { logicalId, properties } = method
    refuseAuthorization(method)
    const resourceId = resolve(properties['ResourceId'], `${logicalId} ResourceId`)
    const resourcePath = toPath(resourceId, resources, resolve)
    const httpMethod = parseText(properties['HttpMethod'], `${logicalId} HttpMethod`)
    if (httpMethod === 'ANY') throw new TemplateNotUnderstood(logicalId, 'the local gateway does not understand ANY.')
    const requestParameters = parseRequestParameters(method)
    const integration = parseIntegration(properties['Integration'], resolve, `${logicalId} Integration`)
    refuseUndeclaredKeys(integration, requestParameters, logicalId)
    const place = { resourceId, resourcePath, httpMethod }
    return { ...place, requestParameters, integration, settings: findMethodSettings(settings, place) }
  })
}

function toPath(resourceId: string, resources: Resources, resolve: Resolve): string {
  if (resourceId === rootResourceId) return '/'
  const { logicalId, properties } = resources.get(resourceId) ?? refuseResource(resourceId)
  refuseOthers(properties, logicalId, ['ParentId', 'PathPart', 'RestApiId'])
  const part = parseText(properties['PathPart'], `${logicalId} PathPart`)
  if (part.endsWith('+}')) throw new TemplateNotUnderstood(logicalId, `the local gateway does not understand ${part}.`)
  const parent = toPath(resolve(properties['ParentId'], `${logicalId} ParentId`), resources, resolve)
  return `${parent === '/' ? '' : parent}/${part}`
}

function refuseResource(resourceId: string): never {
  throw new TemplateNotUnderstood(resourceId, 'is no resource of the API.')
}

function refuseAuthorization({ logicalId, properties }: Resource): void {
  refuseOthers(properties, logicalId, understood)
  const type = properties['AuthorizationType'] ?? 'NONE'
  if (type !== 'NONE') throw new TemplateNotUnderstood(logicalId, `the local gateway does not understand ${type}.`)
  if (parseFlag(properties['ApiKeyRequired'], `${logicalId} ApiKeyRequired`)) {
    throw new TemplateNotUnderstood(logicalId, 'the local gateway does not understand API keys.')
  }
}

function parseRequestParameters({ logicalId, properties }: Resource): Readonly<Record<string, boolean>> {
  const where = `${logicalId} RequestParameters`
  const parameters = Object.entries(parseRecord(properties['RequestParameters'], where))
  return Object.fromEntries(parameters.map(([name, required]) => [name, parseFlag(required, `${where} ${name}`)]))
}

/** CloudFormation refuses it too, but only when it deploys. */
function refuseUndeclaredKeys(integration: Integration, requestParameters: object, logicalId: string): void {
  if (integration.type !== 'AWS_PROXY') return
  const undeclared = integration.cacheKeyParameters.find(key => !Object.hasOwn(requestParameters, key))
  if (undeclared !== undefined) {
    throw new TemplateNotUnderstood(logicalId, `the cache key ${undeclared} is not among its RequestParameters.`)
  }
}

const understood = [
  'ApiKeyRequired',
  'AuthorizationType',
  'HttpMethod',
  'Integration',
  'RequestParameters',
  'ResourceId',
  'RestApiId',
  // These describe the answers, and change none.
  'MethodResponses',
  'OperationName',
]
