import { afterEach, expect, test, vi } from 'vitest'
import type { Reply } from '../../local/reply.ts'
import { createStageCache } from '../../local/stage-cache.ts'

afterEach(() => vi.useRealTimers())

const reply = (bytes: number): Reply => ({ status: 200, headers: [], body: 'x'.repeat(bytes) })

test('an answer is kept for its time, to the millisecond', () => {
  vi.useFakeTimers()
  const cache = createStageCache()
  const kept = reply(1)
  cache.keep('key', kept, 10_000)
  vi.advanceTimersByTime(9_999)
  expect(cache.find('key')).toBe(kept)
  vi.advanceTimersByTime(1)
  expect(cache.find('key')).toBeUndefined()
})

test('an answer of one megabyte is kept, a larger one is not', () => {
  const cache = createStageCache()
  cache.keep('fits', reply(1_048_576), 1_000)
  cache.keep('does not', reply(1_048_577), 1_000)
  expect([cache.find('fits') === undefined, cache.find('does not')]).toEqual([false, undefined])
})

test('a full cache forgets its oldest answers, and one kept anew is young', () => {
  const cache = createStageCache()
  const megabyte = reply(1_000_000)
  for (let number = 0; number < 60; number++) cache.keep(`key-${number}`, megabyte, 60_000)
  cache.keep('key-0', megabyte, 60_000)
  for (let number = 60; number < 75; number++) cache.keep(`key-${number}`, megabyte, 60_000)
  const kept = Array.from({ length: 75 }, (_, number) => number).filter(number => cache.find(`key-${number}`))
  expect(kept).toEqual([0, ...Array.from({ length: 66 }, (_, index) => index + 9)])
})

test('many small answers, as of made-up symbols, do not fill the memory', () => {
  const cache = createStageCache()
  const small = reply(300)
  for (let number = 0; number < 200_000; number++) cache.keep(`key-${number}`, small, 60_000)
  expect([cache.find('key-0'), cache.find('key-199999')]).toEqual([undefined, small])
})
