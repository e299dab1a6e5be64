import { expect, test } from 'vitest'
import { toHost } from '../../../lambda/rpc-urls/rpc-host.ts'

test.each<string[]>([
  ['https://rpc.example/key', 'https://rpc.example:8443/other-key'],
  ['https://rpc.example/key', 'https://RPC.example./key'],
  ...[
    'http://127.0.0.1:8545/b',
    'https://localhost:8545',
    'https://LOCALHOST.:8545',
    'https://node.localhost:8545',
    'http://127.0.0.2:8545',
    'http://127.1:8545',
    'http://[::1]:8545',
    'https://0.0.0.0:8545',
  ].map(url => ['http://127.0.0.1:8545/a', url]),
  ['https://localhost', 'http://127.0.0.1:443'],
])('%s and %s are URLs of one host (D29)', (first = '', second = '') => {
  expect(toHost(new URL(first))).toBe(toHost(new URL(second)))
})

test.each([
  ['https://rpc.example', 'https://rpc2.example'],
  ['http://127.0.0.1:8545', 'http://127.0.0.1:8546'],
  ['http://localhost:8545', 'http://localhost:8546'],
  ['http://[::1]:8545', 'http://[::1]:8546'],
  ['http://127.0.0.1:8545', 'https://127.0.0.1.example:8545'],
  ['https://localhost:8545', 'https://notlocalhost:8545'],
])('%s and %s are URLs of two hosts (D29)', (first, second) => {
  expect(toHost(new URL(first))).not.toBe(toHost(new URL(second)))
})
