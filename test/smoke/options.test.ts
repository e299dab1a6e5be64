import { expect, test } from 'vitest'
import { parseOptions } from '../../smoke/smoke.ts'
import { silence, startFaultyNode } from '../support/chain/faulty-node.ts'
import { runSmoke } from '../support/smoke/run-smoke.ts'

test('a host that cannot be reached fails one check', async () => {
  const node = await startFaultyNode(silence)
  await node.stop()
  const baseUrl = `${node.url.origin}/v1`
  const { code, printed, complained } = await runSmoke(`${baseUrl}/`)
  expect({ code, complained }).toEqual({ code: 1, complained: '' })
  expect(printed.replace(/\d+\.\d s/, '0.0 s')).toBe(
    [
      `${baseUrl}\n`,
      '  failed   openapi.json names the networks  GET /openapi.json: no response (ECONNREFUSED), first missing of 0\n',
      '0 passed, 1 failed, 0 skipped; 1 requests in 0.0 s.\n',
    ].join('\n'),
  )
})

const badUrl = 'One URL is expected, http or https, without user, query and fragment: https://api.example/v1.'

test('a wrong command is one sentence and exit code 2', async () => {
  expect(await runSmoke()).toEqual({ code: 2, printed: '', complained: `${badUrl}\n` })
})

test.each([
  [['api.example/v1'], badUrl],
  [['ftp://api.example/v1'], badUrl],
  [['https://api.example/v1?network=testnet'], badUrl],
  [['https://me:secret@api.example/v1'], badUrl],
  [['https://api.example/v1', 'https://api.example/v2'], badUrl],
  [['--edge', '--no-cache', 'https://api.example/v1'], '--edge and --no-cache exclude each other.'],
  [['--cache'], expect.stringMatching(/^Unknown option '--cache'\./)],
])('%j is a wrong command', (args, sentence) => {
  expect(parseOptions(args)).toEqual(sentence)
})

test('options and the URL are parsed; --help needs no URL', () => {
  const plain = { baseUrl: 'https://api.example/v1', isHelp: false, caching: 'stage' }
  expect(parseOptions(['HTTPS://API.example:443/v1//'])).toEqual(plain)
  expect(parseOptions(['--edge', 'https://api.example/v1'])).toEqual({ ...plain, caching: 'edge' })
  expect(parseOptions(['--no-cache', 'https://api.example/v1'])).toEqual({ ...plain, caching: 'none' })
  expect(parseOptions(['-h'])).toEqual({ ...plain, baseUrl: '', isHelp: true })
})
