import { GetParametersCommand, SSMClient } from '@aws-sdk/client-ssm'
import { afterAll, expect, test } from 'vitest'
import { startParameterStore } from '../../local/parameter-store.ts'

const parameters = new Map([['/price-lookup/mainnet', 'http://127.0.0.1:1']])
const store = await startParameterStore(parameters)
const { AWS_ENDPOINT_URL_SSM: endpoint, AWS_ACCESS_KEY_ID: accessKeyId } = store.variables
const clientWith = (accessKeyId: string) =>
  new SSMClient({ endpoint, region: 'us-east-1', maxAttempts: 1, credentials: { accessKeyId, secretAccessKey: 'x' } })
const client = clientWith(accessKeyId)

afterAll(async () => {
  client.destroy()
  await store.stop()
})

test('it listens on the loopback interface alone, because RPC URLs may hold keys', () => {
  expect(new URL(endpoint).hostname).toBe('127.0.0.1')
})

test('the real client gets the existing parameters and the names of the missing ones', async () => {
  const Names = ['/price-lookup/mainnet', '/price-lookup/none']
  const { $metadata, ...result } = await client.send(new GetParametersCommand({ Names, WithDecryption: true }))
  expect(result).toEqual({
    Parameters: [{ Name: '/price-lookup/mainnet', Type: 'String', Value: 'http://127.0.0.1:1' }],
    InvalidParameters: ['/price-lookup/none'],
  })
})

test('without the access key of this run, no parameter is returned', async () => {
  const stranger = clientWith('local')
  const reading = stranger.send(new GetParametersCommand({ Names: ['/price-lookup/mainnet'] }))
  await expect(reading).rejects.toMatchObject({ $metadata: { httpStatusCode: 400 } })
  stranger.destroy()
})

test('an idle connection has no limit, which Node would send', async () => {
  expect((await fetch(endpoint)).headers.get('keep-alive')).toBeNull()
})
