import { type Resources, refuseOthers, resourcesOf } from './resources.ts'
import { parseQuotedHeaders, parseRecord, parseStatus, parseText, TemplateNotUnderstood } from './values.ts'

/** What the gateway answers by itself in one kind of case. */
export interface GatewayResponse {
  /** Undefined where the kind's own status stays. */
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string>>
  /** Undefined where API Gateway's own body stays. */
  readonly body: string | undefined
}

/** Parses the API's gateway responses, by their type. */
export function parseGatewayResponses(resources: Resources): ReadonlyMap<string, GatewayResponse> {
  return new Map(
    resourcesOf(resources, 'AWS::ApiGateway::GatewayResponse').map(({ logicalId, properties }) => {
      refuseOthers(properties, logicalId, understood)
      const { StatusCode, ResponseParameters, ResponseTemplates } = properties
      return [
        parseText(properties['ResponseType'], `${logicalId} ResponseType`),
        {
          status: StatusCode === undefined ? undefined : parseStatus(StatusCode, `${logicalId} StatusCode`),
          headers: parseQuotedHeaders(ResponseParameters, 'gatewayresponse.header.', logicalId),
          body: parseBody(ResponseTemplates, `${logicalId} ResponseTemplates`),
        },
      ]
    }),
  )
}

function parseBody(value: unknown, where: string): string | undefined {
  const templates = parseRecord(value, where)
  refuseOthers(templates, where, ['application/json'])
  const template = templates['application/json']
  if (template === undefined) return undefined
  const body = parseText(template, where)
  if (body.includes('$')) {
    throw new TemplateNotUnderstood(where, 'the local gateway does not understand variables in a body.')
  }
  return body
}

const understood = ['ResponseParameters', 'ResponseTemplates', 'ResponseType', 'RestApiId', 'StatusCode']
