import { expect, test } from 'vitest'
import { parseOptions } from '../../smoke/smoke.ts'

const badUrl = 'One URL is expected, http or https, without user, query and fragment: https://api.example/v1.'

test.each([
  [[], badUrl],
  [['api.example/v1'], badUrl],
  [['ftp://api.example/v1'], badUrl],
  [['https://api.example/v1?network=testnet'], badUrl],
  [['https://me:secret@api.example/v1'], badUrl],
  [['https://api.example/v1', 'https://api.example/v2'], badUrl],
  [['--cache'], expect.stringMatching(/^Unknown option '--cache'\./)],
])('%j is a wrong command', (args, sentence) => {
  expect(parseOptions(args)).toEqual(sentence)
})

test('options and the URL are parsed; --help needs no URL', () => {
  const plain = { baseUrl: 'https://api.example/v1', isHelp: false, hasCache: true }
  expect(parseOptions(['HTTPS://API.example:443/v1//'])).toEqual(plain)
  expect(parseOptions(['--no-cache', 'https://api.example/v1'])).toEqual({ ...plain, hasCache: false })
  expect(parseOptions(['-h'])).toEqual({ ...plain, baseUrl: '', isHelp: true })
})
