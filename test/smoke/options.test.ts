import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { runSmoke } from './run-smoke.ts'

test('a host that cannot be reached is one sentence', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  expect(await runSmoke(`http://127.0.0.1:${port}/v1/`)).toEqual({
    code: 2,
    printed: '',
    complained: `http://127.0.0.1:${port}/v1 cannot be asked: no answer (ECONNREFUSED).\n`,
  })
})

const notPlain = 'The URL must be one as https://api.example/v1, without user, query and fragment.\n'
test.each([
  [[], 'Say where the API is, as https://api.example/v1.\n'],
  [['api.example/v1'], notPlain],
  [['ftp://api.example/v1'], notPlain],
  [['https://api.example/v1?network=testnet'], notPlain],
  [['https://me:secret@api.example/v1'], notPlain],
  [['https://api.example/v1', 'https://api.example/v2'], 'One URL is enough.\n'],
  [['--cache'], "Unknown option '--cache'. --help shows what there is.\n"],
])('%j is one sentence', async (args, complained) => {
  expect(await runSmoke(...args)).toEqual({ code: 2, printed: '', complained })
})

test('--help tells every option and every exit code', async () => {
  const { code, printed } = await runSmoke('--help')
  expect(code).toBe(0)
  for (const word of ['--no-cache', '--help', 'Exit code']) expect(printed).toContain(word)
})
