import { expect, test } from 'vitest'
import type { Reply } from '../../local/reply.ts'
import { createStageCache } from '../../local/stage-cache.ts'

const reply = (bytes: number): Reply => ({ status: 200, headers: [], body: 'x'.repeat(bytes) })
const kibi = 1_024

test('a response is cached for its TTL, to the millisecond', () => {
  let nowMs = 0
  const cache = createStageCache(() => nowMs)
  const cached = reply(1)
  cache.store('key', cached, 10_000)
  nowMs = 9_999
  expect(cache.find('key')).toBe(cached)
  nowMs = 10_000
  expect(cache.find('key')).toBeUndefined()
})

test('a response of 1 MiB is cached, a larger one is not', () => {
  const cache = createStageCache(() => 0)
  const fits = reply(kibi * kibi)
  cache.store('fits', fits, 1_000)
  cache.store('does not fit', reply(kibi * kibi + 1), 1_000)
  expect([cache.find('fits'), cache.find('does not fit')]).toEqual([fits, undefined])
})

test('a full cache removes its oldest responses, and a response stored again is the newest', () => {
  const cache = createStageCache(() => 0)
  const large = reply(1_000_000)
  for (let number = 0; number < 60; number++) cache.store(`key-${number}`, large, 60_000)
  cache.store('key-0', large, 60_000)
  for (let number = 60; number < 75; number++) cache.store(`key-${number}`, large, 60_000)
  const cached = Array.from({ length: 75 }, (_, number) => number).filter(number => cache.find(`key-${number}`))
  expect(cached).toEqual([0, ...Array.from({ length: 66 }, (_, index) => index + 9)])
})

test('the overhead of many small responses counts, as of invented symbols', () => {
  const cache = createStageCache(() => 0)
  const small = reply(300)
  for (let number = 0; number < 100_000; number++) cache.store(`key-${number}`, small, 60_000)
  expect([cache.find('key-0'), cache.find('key-99999')]).toEqual([undefined, small])
})
