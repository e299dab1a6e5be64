import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { formatSection } from '../../bench/document.ts'
import { simulate, simulateScale } from '../../bench/scale.ts'
import { type Cache, createRandom, simulateKey, toAge } from '../../bench/simulation.ts'

const [merging, stage] = [true, false].map(mergesMisses => ({ ttlSeconds: 10, mergesMisses })) as [Cache, Cache]
const run = (rate: number, cache: Cache, seconds: number) =>
  simulateKey(rate, cache, seconds, createRandom(7), () => 0.1)

/** The reads per second of one key, by formula, when every read takes equally long. */
function expectReadsPerSecond(rate: number, { ttlSeconds, mergesMisses }: Cache, readSeconds: number): number {
  if (mergesMisses) return 1 / (readSeconds + ttlSeconds + 1 / rate)
  // A cycle starts with a miss. The misses during its read each start another, and the last one to end determines the expiry.
  const misses = 1 + rate * readSeconds
  return misses / (2 * readSeconds + ttlSeconds + Math.exp(-rate * readSeconds) / rate)
}

/** The age that a share of the answers does not exceed, by formula, for a cache that merges misses. */
function expectAge(rate: number, { ttlSeconds }: Cache, readSeconds: number, share: number): number {
  const fresh = 1 + rate * readSeconds
  return Math.max(0, (share * (fresh + rate * ttlSeconds) - fresh) / rate)
}

test.each([
  [0.05, stage, 1_000_000],
  [0.05, merging, 1_000_000],
  [1, stage, 300_000],
  [1, merging, 300_000],
  [100, stage, 10_000],
  [100, merging, 10_000],
  [2_000, stage, 2_000],
])('reads at %d requests per second are those of the formula', (rate, cache, seconds) => {
  const { reads } = run(rate, cache, seconds)
  const expected = expectReadsPerSecond(rate, cache, 0.1)
  expect(Math.abs(reads / seconds / expected - 1)).toBeLessThan(0.02)
})

test.each([0.05, 1, 100])('ages behind a cache that merges misses are those of the formula, at %d per second', rate => {
  const outcome = run(rate, merging, 300_000 / Math.max(1, rate))
  for (const share of [0.5, 0.9, 0.99]) {
    expect(Math.abs(toAge(outcome, share) - expectAge(rate, merging, 0.1, share))).toBeLessThan(0.1)
  }
  expect(toAge(outcome, 1)).toBeLessThanOrEqual(10)
})

test('a cache that merges misses has one read of a key at once, another has as many as arrive during a read', () => {
  expect(run(100, merging, 1_000).peakReads).toBe(1)
  expect(run(100, stage, 1_000).peakReads).toBeGreaterThan(10)
})

test('spellings cost the stage cache reads, and the edge none', () => {
  const readsOf = (hasEdge: boolean, isAttacked: boolean) =>
    simulate(1_000, { name: '', cache: hasEdge ? merging : stage, hasEdge, isAttacked }).reads
  expect(readsOf(false, true)).toBeGreaterThan(10 * readsOf(false, false))
  expect(readsOf(true, true)).toBeLessThan(1.05 * readsOf(true, false))
})

test('docs/scale.md has the table that `npx node bench/scale.ts` prints', async () => {
  const page = await readFile(new URL('../../docs/scale.md', import.meta.url), 'utf8')
  expect(page).toContain(formatSection(simulateScale()))
})
