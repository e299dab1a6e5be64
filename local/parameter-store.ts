import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

export interface ParameterStore {
  /** The variables of a client: the URL, on the loopback interface, and an access key that only this run accepts. */
  readonly variables: { readonly AWS_ENDPOINT_URL_SSM: string; readonly AWS_ACCESS_KEY_ID: string }
  readonly stop: () => Promise<void>
}

/**
 * Starts a stand-in for Parameter Store that answers `GetParameters` of the real client.
 *
 * RPC URLs may hold keys, and every user of the machine can connect. So the access key is random, and it is compared.
 * Every other request is a 400.
 *
 * @param parameters the values by name. They are read for every request: change the map to rotate a value
 * @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetParameters.html
 * @example
 * const store = await startParameterStore(new Map([['/price-lookup/dev/rpc-urls/mainnet', chain.rpcUrl]]))
 */
export async function startParameterStore(parameters: ReadonlyMap<string, string>): Promise<ParameterStore> {
  const accessKeyId = randomBytes(16).toString('hex')
  const server = createServer(async (request, response) => {
    const names = await parseNames(request, accessKeyId)
    const result = names && toResult(names, parameters)
    const body = result ?? { __type: 'UnknownOperationException' }
    response.writeHead(result === undefined ? 400 : 200, { 'Content-Type': 'application/x-amz-json-1.1' })
    response.end(JSON.stringify(body))
  })
  // Idle connections have no time limit, for the reason in `server.ts`.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('The parameter store has no port.')
  const stop = async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  const url = `http://${bound.address}:${bound.port}`
  const variables = { AWS_ENDPOINT_URL_SSM: url, AWS_ACCESS_KEY_ID: accessKeyId }
  return { variables, stop }
}

/** Parses the names in a request for parameters with this access key. Returns undefined for any other request. */
async function parseNames(request: IncomingMessage, accessKeyId: string): Promise<readonly string[] | undefined> {
  const { authorization = '', 'x-amz-target': operation } = request.headers
  if (operation !== 'AmazonSSM.GetParameters' || !authorization.includes(` Credential=${accessKeyId}/`))
    return undefined
  try {
    return getParametersBody.parse(JSON.parse(await text(request))).Names
  } catch {
    return undefined
  }
}

const getParametersBody = z.object({ Names: z.array(z.string()) })

function toResult(names: readonly string[], parameters: ReadonlyMap<string, string>): object {
  const found = names.filter(name => parameters.has(name))
  return {
    Parameters: found.map(name => ({ Name: name, Type: 'String', Value: parameters.get(name) })),
    InvalidParameters: names.filter(name => !parameters.has(name)),
  }
}
