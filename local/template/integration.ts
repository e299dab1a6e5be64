import type { Resolve } from './resolve.ts'
import { refuseOthers } from './resources.ts'
import { renderResponseTemplate } from './response-template.ts'
import {
  parseList,
  parseNumber,
  parseQuotedHeaders,
  parseRecord,
  parseStatus,
  parseText,
  TemplateNotUnderstood,
} from './values.ts'

/** A function that makes a method's answers. */
export interface FunctionIntegration {
  readonly type: 'AWS_PROXY'
  /** The function's logical id. */
  readonly functionId: string
  readonly timeoutMs: number
  /** The request parameters that tell one cached answer from another. */
  readonly cacheKeyParameters: readonly string[]
}

/** A fixed answer. */
interface MockIntegration {
  readonly type: 'MOCK'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Empty where there is none. */
  readonly body: string
  /** The content types that there is a request template for; a request that announces none is taken for JSON. */
  readonly contentTypes: readonly string[]
  /** Whether a request of another type goes on as it is, to fail: no template says which status is to be answered. */
  readonly passesOthers: boolean
}

/** Where a method's answers come from. */
export type Integration = FunctionIntegration | MockIntegration

/** Parses the integration of a method. */
export function parseIntegration(value: unknown, resolve: Resolve, where: string): Integration {
  const integration = parseRecord(value, where)
  const type = parseText(integration['Type'], `${where} Type`)
  if (type === 'AWS_PROXY') return parseFunction(integration, resolve, where)
  if (type === 'MOCK') return parseMock(integration, where)
  throw new TemplateNotUnderstood(where, `the local gateway does not understand the type ${type}.`)
}

function parseFunction(
  integration: Readonly<Record<string, unknown>>,
  resolve: Resolve,
  where: string,
): FunctionIntegration {
  refuseOthers(integration, where, ['Type', 'Uri', 'IntegrationHttpMethod', 'TimeoutInMillis', 'CacheKeyParameters'])
  const uri = resolve(integration['Uri'], `${where} Uri`)
  const functionId = /:lambda:path\/2015-03-31\/functions\/[^/]*:function:([^/:]+)\/invocations$/.exec(uri)?.[1]
  if (functionId === undefined || integration['IntegrationHttpMethod'] !== 'POST') {
    throw new TemplateNotUnderstood(where, `${uri} is not a function's address to POST to.`)
  }
  return {
    type: 'AWS_PROXY',
    functionId,
    timeoutMs: parseNumber(integration['TimeoutInMillis'], `${where} TimeoutInMillis`, 29_000),
    cacheKeyParameters: parseList(integration['CacheKeyParameters'], where).map(parameter => {
      const text = parseText(parameter, `${where} CacheKeyParameters`)
      if (/^method\.request\.(querystring|path)\.[^.]+$/.test(text)) return text
      throw new TemplateNotUnderstood(where, `the local gateway does not understand the cache key ${text}.`)
    }),
  }
}

function parseMock(integration: Readonly<Record<string, unknown>>, where: string): MockIntegration {
  refuseOthers(integration, where, ['Type', 'IntegrationResponses', 'RequestTemplates', 'PassthroughBehavior'])
  const [only, another] = parseList(integration['IntegrationResponses'], where)
  if (only === undefined || another !== undefined) {
    throw new TemplateNotUnderstood(where, 'the local gateway understands a MOCK with one response alone.')
  }
  const response = parseRecord(only, `${where} IntegrationResponses`)
  refuseOthers(response, `${where} IntegrationResponses`, ['StatusCode', 'ResponseParameters', 'ResponseTemplates'])
  const status = parseStatus(response['StatusCode'], `${where} StatusCode`)
  const headers = parseQuotedHeaders(response['ResponseParameters'], 'method.response.header.', where)
  const [template, other] = Object.entries(parseRecord(response['ResponseTemplates'], where))
  if (other !== undefined) {
    throw new TemplateNotUnderstood(where, 'the local gateway understands a MOCK with one response template alone.')
  }
  const contentTypes = Object.keys(parseRecord(integration['RequestTemplates'], where))
  const passesOthers = parsePassthrough(integration['PassthroughBehavior'], contentTypes, where)
  if (template === undefined) return { type: 'MOCK', status, headers, body: '', contentTypes, passesOthers }
  const [mediaType, text] = template
  const body = renderResponseTemplate(parseText(text, `${where} ${mediaType}`), `${where} ${mediaType}`)
  const hasType = Object.keys(headers).some(name => name.toLowerCase() === 'content-type')
  return {
    type: 'MOCK',
    status,
    headers: hasType ? headers : { ...headers, 'Content-Type': mediaType },
    body,
    contentTypes,
    passesOthers,
  }
}

/** Parses whether a request goes on that no template is for: unless told otherwise, it does. */
function parsePassthrough(behavior: unknown, contentTypes: readonly string[], where: string): boolean {
  switch (behavior) {
    case undefined:
    case 'WHEN_NO_MATCH':
      return true
    case 'WHEN_NO_TEMPLATES':
      return contentTypes.length === 0
    case 'NEVER':
      return false
    default:
      throw new TemplateNotUnderstood(where, `there is no PassthroughBehavior ${behavior}.`)
  }
}
