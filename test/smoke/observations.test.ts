import { expect, test } from 'vitest'
import type { Client, Reply } from '../../smoke/client.ts'
import { observeCache } from '../../smoke/observations.ts'
import { toReply } from './reply.ts'

const readAt = '2026-07-01T00:00:00.000Z'
const now = { Date: 'Wed, 01 Jul 2026 00:00:01 GMT' }
const plain = toReply('/price', { readAt }, now)

/** Observes a client that answers these in order: a read, a hit, a caller that wants a new read, HEAD. */
async function observe(answers: readonly Reply[], hasEdge: boolean) {
  const left = [...answers]
  const client = { ask: async () => left.shift() ?? plain } as Partial<Client> as Client
  return (await observeCache(client, '/price', hasEdge)).map(({ outcome, detail }) => `${outcome}: ${detail}`)
}

test('what the stage and the edge are expected to do passes', async () => {
  const warned = toReply('/price', { readAt }, { ...now, Warning: '199 - "ignored"' })
  expect(await observe([plain, plain, warned], false)).toEqual([
    'passed: 200 date Wed, 01 Jul 2026 00:00:01 GMT age -, after 200 date Wed, 01 Jul 2026 00:00:01 GMT age -',
    'passed: the same read, 200 warning 199 - "ignored"',
    'passed: 200 expires - age -',
  ])
  const aged = toReply('/price', { readAt }, { ...now, Age: '1', Expires: 'Wed, 01 Jul 2026 00:00:10 GMT' })
  const outcomes = (await observe([plain, aged, aged, aged], true)).map(text => text.split(':')[0])
  expect(outcomes).toEqual(['passed', 'passed', 'passed'])
})

test('anything else is noted and stops nothing', async () => {
  const renewed = toReply('/price', { readAt: '2026-07-01T00:00:02.000Z' }, { ...now, Age: '1', Expires: 'x' })
  expect(await observe([plain, renewed, plain, renewed], false)).toEqual([
    expect.stringMatching(/^noted: not as expected: 200 date .* age 1, after 200/),
    'noted: not as expected: another read, 200 warning -',
    'noted: not as expected: 200 expires x age 1',
  ])
})
