import { expect, test } from 'vitest'
import { checkIpv6 } from '../../smoke/edge.ts'

const [found, none] = [async () => ['2001:db8::1'], () => Promise.reject(new Error('ENODATA'))]

test.each([
  ['127.0.0.1', found, 'skipped'],
  ['[::1]', found, 'skipped'],
  ['localhost', found, 'skipped'],
  ['prices.example', found, 'passed'],
  ['prices.example', async () => [], 'failed'],
  ['prices.example', none, 'failed'],
])('case %#: whether %s has an IPv6 address', async (host, resolve, outcome) => {
  expect(await checkIpv6(host, resolve)).toMatchObject({ outcome })
})
