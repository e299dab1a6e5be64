import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

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
    const result = operation === getParameters ? toResult(await text(request), parameters) : undefined
    const body = result ?? { __type: 'UnknownOperationException' }
    response.writeHead(result === undefined ? 400 : 200, { 'Content-Type': 'application/x-amz-json-1.1' })
    response.end(JSON.stringify(body))
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

const getParameters = 'AmazonSSM.GetParameters'

function toResult(body: string, parameters: ReadonlyMap<string, string>): object {
  const { Names } = getParametersBody.parse(JSON.parse(body))
  const found = Names.filter(name => parameters.has(name))
  return {
    Parameters: found.map(name => ({ Name: name, Type: 'String', Value: parameters.get(name) })),
    InvalidParameters: Names.filter(name => !parameters.has(name)),
  }
}

const getParametersBody = z.object({ Names: z.array(z.string()) })
