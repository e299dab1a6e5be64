import { expect, test } from 'vitest'
import { checkFresh, checkReplay, observeCache } from '../../smoke/cache.ts'
import type { Reply } from '../../smoke/client.ts'
import { createClientOf, toReply } from '../support/smoke/reply.ts'

const readAt = '2026-07-01T00:00:00.000Z'
const now = { Date: 'Wed, 01 Jul 2026 00:00:01 GMT' }
const plain = toReply('/price', { readAt }, now)

/** Creates a client that receives these replies in order. */
function createClient(...replies: readonly Reply[]) {
  const left = [...replies]
  return createClientOf(() => left.shift() ?? plain)
}

/** @param replies to a read, a hit, and a caller that asks for a new read */
async function observe(...replies: readonly Reply[]) {
  return (await observeCache(createClient(...replies), '/price')).map(({ outcome, detail }) => `${outcome}: ${detail}`)
}

test('what the stage is expected to do passes', async () => {
  const warned = toReply('/price', { readAt }, { ...now, Warning: '199 - "ignored"' })
  expect(await observe(plain, plain, warned)).toEqual([
    'passed: 200 date Wed, 01 Jul 2026 00:00:01 GMT age -, after 200 date Wed, 01 Jul 2026 00:00:01 GMT age -',
    'passed: the same read, 200 warning 199 - "ignored"',
  ])
})

test('anything else is noted and stops nothing', async () => {
  const renewed = toReply('/price', { readAt: '2026-07-01T00:00:02.000Z' }, { ...now, Age: '1' })
  expect(await observe(plain, renewed, plain)).toEqual([
    expect.stringMatching(/^noted: not as expected: 200 date .* age 1, after 200/),
    'noted: not as expected: another read, 200 warning -',
  ])
})

test('a reply that does not come is neither a new read nor a second one', async () => {
  const none = { ...plain, status: 0, fields: {}, failure: 'no response (ECONNRESET)' }
  const client = createClient(none, none)
  const failed = { outcome: 'failed', detail: '200 00:00:00.000, then no response (ECONNRESET) ' }
  expect(await checkFresh(client, plain)).toMatchObject(failed)
  expect(await checkReplay(client, plain, false)).toMatchObject(failed)
})

const toRead = (second: number) => toReply('/price', { readAt: `2026-07-01T00:00:0${second}.000Z` }, now)
const [one, two, three, four] = [1, 2, 3, 4].map(toRead) as [Reply, Reply, Reply, Reply]

test.each<[boolean, readonly Reply[], string, number]>([
  [true, [plain], 'passed', 1],
  [true, [one, two, three, three], 'passed', 4],
  [true, [one, two, three, four], 'failed', 4],
  [false, [one], 'passed', 1],
  [false, [plain], 'failed', 1],
])(
  'case %#: with a cache (%s), one of up to four requests is a hit; without one, the first is a new read',
  async (hasCache, replies, outcome, count) => {
    const client = createClient(...replies)
    expect(await checkReplay(client, plain, hasCache)).toMatchObject({ outcome })
    expect(client.replies).toHaveLength(count)
  },
)

test('a reply is read again when it is too old, or the check fails', async () => {
  expect(await checkFresh(createClient(one), plain)).toMatchObject({ outcome: 'passed' })
  expect(await checkFresh(createClient(plain), plain)).toMatchObject({ outcome: 'failed' })
})
