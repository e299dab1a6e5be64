import { type AddressInfo, Server } from 'node:net'
import { GetParameterCommand, GetParametersCommand, SSMClient } from '@aws-sdk/client-ssm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type ParameterStore, startParameterStore } from '../../local/parameter-store.ts'

const parameters = new Map([['/price-lookup/mainnet', 'http://127.0.0.1:1']])
let store: ParameterStore
let client: SSMClient
let server: Server

beforeAll(async () => {
  using listen = vi.spyOn(Server.prototype, 'listen')
  store = await startParameterStore(parameters)
  server = listen.mock.contexts[0] as Server
  for (const [name, value] of Object.entries(store.variables)) vi.stubEnv(name, value)
  vi.stubEnv('AWS_REGION', 'us-east-1')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local')
  client = new SSMClient({ maxAttempts: 1 })
})

afterAll(async () => {
  client.destroy()
  await store.stop()
  vi.unstubAllEnvs()
})

test('it listens on the loopback interface alone, because RPC URLs may hold keys', () => {
  expect((server.address() as AddressInfo).address).toBe('127.0.0.1')
})

test('the real client gets the existing parameters and the names of the missing ones', async () => {
  const Names = ['/price-lookup/mainnet', '/price-lookup/none']
  const { $metadata, ...result } = await client.send(new GetParametersCommand({ Names, WithDecryption: true }))
  expect(result).toEqual({
    Parameters: [{ Name: '/price-lookup/mainnet', Type: 'String', Value: 'http://127.0.0.1:1' }],
    InvalidParameters: ['/price-lookup/none'],
  })
})

test('the next request gets a changed value', async () => {
  parameters.set('/price-lookup/changed', 'http://127.0.0.1:2')
  const { Parameters } = await client.send(new GetParametersCommand({ Names: ['/price-lookup/changed'] }))
  expect(Parameters?.map(({ Value }) => Value)).toEqual(['http://127.0.0.1:2'])
})

test('another operation is unknown, and is recorded', async () => {
  await expect(client.send(new GetParameterCommand({ Name: '/price-lookup/mainnet' }))).rejects.toMatchObject({
    name: 'UnknownOperationException',
    $metadata: { httpStatusCode: 400 },
  })
  expect(store.requests.at(-1)).toBe('AmazonSSM.GetParameter')
})

test('without the access key of this run, no parameter is returned', async () => {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const stranger = new SSMClient({ maxAttempts: 1, credentials })
  const reading = stranger.send(new GetParametersCommand({ Names: ['/price-lookup/mainnet'] }))
  await expect(reading).rejects.toMatchObject({ $metadata: { httpStatusCode: 400 } })
  stranger.destroy()
})

test.each(['{', '[]', '{"Names":1}', ''])(
  'after the body %j, which is a 400, the next request is served',
  async body => {
    const { AWS_ENDPOINT_URL_SSM: url, AWS_ACCESS_KEY_ID: key } = store.variables
    const headers = { 'X-Amz-Target': 'AmazonSSM.GetParameters', Authorization: `AWS4-HMAC-SHA256 Credential=${key}/x` }
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(400)
    const { Parameters } = await client.send(new GetParametersCommand({ Names: ['/price-lookup/mainnet'] }))
    expect(Parameters).toHaveLength(1)
  },
)
