import { expect, test } from 'vitest'
import { parseRpcUrls } from '../../../lambda/rpc-urls/parse-rpc-urls.ts'

const key = 'a1-B2_c3.D4~'
const toSame = (url: string): [string, string[]] => [url, [url]]

test.each<[string, string[]]>([
  [' https://a.test,\n\thttps://b.test , ', ['https://a.test/', 'https://b.test/']],
  ['HTTPS://A.test', ['https://a.test/']],
  ['http://localhost:8545/', ['http://localhost:8545/']],
  ['http://127.0.0.10:8545/', ['http://127.0.0.10:8545/']],
  ['http://[::1]:8545/', ['http://[::1]:8545/']],
  ['https://a.test/http/https', ['https://a.test/http/https']],
  // The forms of Alchemy and Infura, of Chainstack and Tenderly, and of QuickNode.
  ...[`/v2/${key}`, `/${key}`, `/${key}/`].map(path => toSame(`https://a.test${path}`)),
  // The form of dRPC.
  toSame(`https://a.test/ogrpc?network=robinhood&dkey=${key}`),
  // The form of AWS.
  [`https://a.test?billingtoken=${key}`, [`https://a.test/?billingtoken=${key}`]],
])('the RPC URLs %j are accepted (D22)', (text, expected) => {
  expect(parseRpcUrls(text)).toEqual({ rpcUrls: expected.map(url => new URL(url)) })
})

test.each<[string, string]>([
  ['a.test/KEY', 'URL 1 must begin with https://, or with http:// and a loopback host'],
  ['https://a.test wss://b.test', 'URL 2 must begin with https://, or with http:// and a loopback host'],
  ['https://', 'URL 1 has no valid host and port'],
  ['https:///KEY', 'character 9 of URL 1 is not allowed'],
  ['https://1.2.3.4.5', 'URL 1 has no valid host and port'],
  ['https://a.test:99999', 'URL 1 has no valid host and port'],
  ['https://user@a.test', 'character 13 of URL 1 is not allowed'],
  ['https://1:2@a.test', 'character 12 of URL 1 is not allowed'],
  ['https://a_b.test', 'character 10 of URL 1 is not allowed'],
  ['https://\u{212a}.test', 'character 9 of URL 1 is not allowed'],
  ['https://[::ffff:127.0.0.1]', 'character 9 of URL 1 is not allowed'],
  ...[
    'http://127.0.0.1.a.test',
    'http://localhost.a.test',
    'http://not-localhost',
    'http://node.localhost:8545',
    'http://0.0.0.0:8545',
  ].map((url): [string, string] => [url, 'URL 1 is http, and its host is not loopback']),
])('the RPC URLs %j are refused: %s (D22)', (text, reason) => {
  expect(parseRpcUrls(text)).toEqual({ refusal: reason })
})

test.each([
  // Separators of two URLs. The host of the first one would get both keys.
  ...[';', '|', '&', '+', '%20', '\\', ';//b.test/KEY', ';b.test/KEY', '\u{ff1a}//b.test/KEY', '%253a//b.test/KEY'],
  // Characters that are copied along with a key, and placeholders of a key.
  ...['\u{200b}', '\u{2013}', '\u{201d}', '\\n', '$'.concat('{KEY}'), '<KEY>', '{{resolve:ssm:KEY}}', '"', '\u{17f}'],
  // Characters that a URL may have, but that no URL of a node needs.
  ...['#', '=', ':'],
])('behind a path, %j is refused by its place (D22)', text => {
  expect(parseRpcUrls(`https://a.test/KEY${text}`)).toEqual({ refusal: 'character 19 of URL 1 is not allowed' })
})

test.each([
  'https://a.test/KEY//b.test/KEY',
  'https://a.test/?url=/b.test/KEY',
  'https://a.test/?url=https://b.test/KEY',
  'https://a.test/?url=b.test%2FKEY',
])('in %j, a second URL is refused (D22)', text => {
  expect(parseRpcUrls(text)).toEqual({ refusal: expect.stringMatching(/^character \d\d of URL 1 is not allowed$/) })
})
