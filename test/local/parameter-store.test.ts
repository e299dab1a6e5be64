import { Server } from 'node:net'
import { DeleteParametersCommand, GetParametersCommand, SSMClient } from '@aws-sdk/client-ssm'
import { afterAll, expect, test, vi } from 'vitest'
import { startParameterStore } from '../../local/parameter-store.ts'

const parameters = new Map([['/price-lookup/mainnet', 'http://127.0.0.1:1']])
const listen = vi.spyOn(Server.prototype, 'listen')
const store = await startParameterStore(parameters)
const [server] = listen.mock.contexts as Server[]
listen.mockRestore()
const { AWS_ENDPOINT_URL_SSM: endpoint, AWS_ACCESS_KEY_ID: accessKeyId } = store.variables
const clientWith = (accessKeyId: string) =>
  new SSMClient({ endpoint, region: 'us-east-1', maxAttempts: 1, credentials: { accessKeyId, secretAccessKey: 'x' } })
const client = clientWith(accessKeyId)

afterAll(async () => {
  client.destroy()
  await store.stop()
})

test('it listens on the loopback interface alone, because RPC URLs may hold keys', () => {
  expect(server?.address()).toMatchObject({ address: '127.0.0.1' })
})

test('the real client gets the existing parameters and the names of the missing ones', async () => {
  const Names = ['/price-lookup/mainnet', '/price-lookup/none']
  const { $metadata, ...result } = await client.send(new GetParametersCommand({ Names, WithDecryption: true }))
  expect(result).toEqual({
    Parameters: [{ Name: '/price-lookup/mainnet', Type: 'String', Value: 'http://127.0.0.1:1' }],
    InvalidParameters: ['/price-lookup/none'],
  })
})

test('another operation is unknown', async () => {
  await expect(client.send(new DeleteParametersCommand({ Names: ['/price-lookup/mainnet'] }))).rejects.toMatchObject({
    name: 'UnknownOperationException',
    $metadata: { httpStatusCode: 400 },
  })
})

test('without the access key of this run, no parameter is returned', async () => {
  const stranger = clientWith('local')
  const reading = stranger.send(new GetParametersCommand({ Names: ['/price-lookup/mainnet'] }))
  await expect(reading).rejects.toMatchObject({ $metadata: { httpStatusCode: 400 } })
  stranger.destroy()
})

test.each(['{', '[]', '{"Names":1}', ''])(
  'after the body %j, which is a 400, the next request is served',
  async body => {
    const Authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/x`
    const headers = { 'X-Amz-Target': 'AmazonSSM.GetParameters', Authorization }
    const response = await fetch(endpoint, { method: 'POST', headers, body })
    // With a limit for idle connections, Node would send it.
    expect([response.status, response.headers.get('keep-alive')]).toEqual([400, null])
    const { Parameters } = await client.send(new GetParametersCommand({ Names: ['/price-lookup/mainnet'] }))
    expect(Parameters).toHaveLength(1)
  },
)
