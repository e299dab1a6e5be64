import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { accountId, region } from './template/cloudformation.ts'

/** A running stand-in for AWS Systems Manager Parameter Store. */
export interface ParameterStore {
  /** On the loopback interface: the value of the client's `AWS_ENDPOINT_URL_SSM`. */
  readonly url: string
  /** The operations of all requests so far, such as `AmazonSSM.GetParameters`, the oldest first. */
  readonly requests: readonly string[]
  /** Stops listening and closes every connection. */
  readonly stop: () => Promise<void>
}

/**
 * Starts a stand-in for Parameter Store that answers `GetParameters` of the real client.
 *
 * @param parameters read for every request: change the map to rotate a value
 * @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetParameters.html
 * @example
 * const store = await startParameterStore(new Map([['/price-lookup/dev/rpc-urls/mainnet', chain.rpcUrl]]))
 */
export async function startParameterStore(parameters: ReadonlyMap<string, string>): Promise<ParameterStore> {
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    const operation = `${request.headers['x-amz-target']}`
    requests.push(operation)
    const [status, body] = answer(operation, await text(request), parameters)
    response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The parameter store has no port.')
  const stop = async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  return { url: `http://127.0.0.1:${address.port}`, requests, stop }
}

function answer(operation: string, body: string, parameters: ReadonlyMap<string, string>): [number, object] {
  if (operation !== 'AmazonSSM.GetParameters') return [400, { __type: 'UnknownOperationException' }]
  const { data } = getParametersBody.safeParse(body)
  if (data === undefined) return [400, { __type: 'SerializationException' }]
  const found = data.Names.flatMap(name => {
    const value = parameters.get(name)
    return value === undefined ? [] : [toParameter(name, value)]
  })
  return [200, { Parameters: found, InvalidParameters: data.Names.filter(name => !parameters.has(name)) }]
}

const getParametersBody = z
  .string()
  .transform((body, context) => {
    try {
      return JSON.parse(body)
    } catch {
      context.addIssue('Expected JSON')
      return z.NEVER
    }
  })
  .pipe(z.object({ Names: z.array(z.string()) }))

/** Has the real fields. The version and the time are invented. */
function toParameter(name: string, value: string): object {
  return {
    Name: name,
    Type: 'String',
    Value: value,
    Version: 1,
    LastModifiedDate: 1_790_984_206,
    ARN: `arn:aws:ssm:${region}:${accountId}:parameter/${name.replace(/^\//, '')}`,
    DataType: 'text',
  }
}
