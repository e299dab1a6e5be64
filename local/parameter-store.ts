import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

/** A running stand-in for AWS Systems Manager Parameter Store. */
export type ParameterStore = {
  /** Where it answers, on the loopback interface; give it to the client as `AWS_ENDPOINT_URL_SSM`. */
  url: string
  /** The operation of every request so far, such as `AmazonSSM.GetParameters`, the oldest first. */
  requests: readonly string[]
  /** Stops answering and closes every connection. */
  stop(): Promise<void>
}

/**
 * Starts a stand-in for Parameter Store that answers `GetParameters` to the real client.
 *
 * Reads the parameters anew for every request: change the map to rotate a value.
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
  if (address === null || typeof address === 'string') throw new Error('The parameter store has no port')
  const stop = async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  return { url: `http://127.0.0.1:${address.port}`, requests, stop }
}

type Answer = [status: number, body: object]

function answer(operation: string, body: string, parameters: ReadonlyMap<string, string>): Answer {
  if (operation !== 'AmazonSSM.GetParameters') return [400, { __type: 'UnknownOperationException' }]
  const names = parseNames(body)
  if (!names) return [400, { __type: 'SerializationException' }]
  const found = names.flatMap(name => {
    const value = parameters.get(name)
    return value === undefined ? [] : [toParameter(name, value)]
  })
  return [200, { Parameters: found, InvalidParameters: names.filter(name => !parameters.has(name)) }]
}

function parseNames(body: string): string[] | undefined {
  try {
    const { Names: names }: { Names?: unknown } = JSON.parse(body)
    if (Array.isArray(names) && names.every(name => typeof name === 'string')) return names
  } catch {}
  return undefined
}

/** Answers with the fields that the real one has; version, time and account are made up. */
function toParameter(name: string, value: string): object {
  return {
    Name: name,
    Type: 'String',
    Value: value,
    Version: 1,
    LastModifiedDate: 1_790_984_206,
    ARN: `arn:aws:ssm:us-east-1:000000000000:parameter/${name.replace(/^\//, '')}`,
    DataType: 'text',
  }
}
