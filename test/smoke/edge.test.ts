import { expect, test } from 'vitest'
import type { Client } from '../../smoke/client.ts'
import { checkEdge, checkIpv6 } from '../../smoke/edge.ts'
import { createClock } from './clock.ts'

test.each([
  ['127.0.0.1', [], 'skipped'],
  ['[::1]', [], 'skipped'],
  ['localhost', [], 'skipped'],
  ['prices.example', ['2001:db8::1'], 'passed'],
  ['prices.example', [], 'failed'],
])('%s with the addresses %j: %s', async (host, addresses, outcome) => {
  expect(await checkIpv6(host, async () => addresses)).toMatchObject({ outcome })
})

test('a name that does not resolve has no IPv6 address', async () => {
  expect(await checkIpv6('prices.example', () => Promise.reject(new Error('ENODATA')))).toMatchObject({
    outcome: 'failed',
  })
})

test.each([
  ['10', 'passed'],
  ['11', 'failed'],
])('an answer with the age %s has %s', async (age, outcome) => {
  const exact = { readAt: '2026-11-21T10:00:00.000Z' }
  const headers = new Headers({ age })
  const answer = { method: 'GET', path: '/price', status: 200, headers, text: '', json: exact, exact, receivedAtMs: 0 }
  const client: Client = {
    baseUrl: 'http://127.0.0.1',
    ask: async () => answer,
    answers: [answer],
    clock: createClock(),
  }
  const checks = await checkEdge(client, undefined)
  expect(checks.find(({ name }) => name === 'no price has an age above 10 s')).toMatchObject({ outcome })
})
