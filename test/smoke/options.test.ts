import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { runSmoke } from './run-smoke.ts'

test('a host that cannot be reached is one sentence and exit code 2; another service is exit code 1', async () => {
  const server = createServer((_, response) => response.writeHead(404).end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}/v1`
  const { code, printed } = await runSmoke(baseUrl)
  expect(code).toBe(1)
  expect(printed).toMatch(
    /^ {2}failed {3}openapi\.json names the networks +GET \/openapi\.json: 404, first missing of 0$/m,
  )
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
  const complained = `${baseUrl}: no answer (ECONNREFUSED).\n`
  expect(await runSmoke(`${baseUrl}/`)).toEqual({ code: 2, printed: '', complained })
})

const badUrl = 'The URL must be http or https, without user, query and fragment: https://api.example/v1.\n'
test.each([
  [[], 'Missing the URL of the API, such as https://api.example/v1.\n'],
  [['api.example/v1'], badUrl],
  [['ftp://api.example/v1'], badUrl],
  [['https://api.example/v1?network=testnet'], badUrl],
  [['https://me:secret@api.example/v1'], badUrl],
  [['https://api.example/v1', 'https://api.example/v2'], 'Too many arguments: one URL is expected.\n'],
  [['--edge', '--no-cache', 'https://api.example/v1'], '--edge and --no-cache exclude each other.\n'],
  [['--cache'], expect.stringMatching(/^Unknown option '--cache'\..*\n$/)],
])('%j is one sentence and exit code 2', async (args, complained) => {
  expect(await runSmoke(...args)).toEqual({ code: 2, printed: '', complained })
})

test('--help shows every option and every exit code', async () => {
  const { code, printed } = await runSmoke('--help')
  expect(code).toBe(0)
  for (const text of ['--no-cache', '--edge', '--help', 'Exit code']) expect(printed).toContain(text)
})
