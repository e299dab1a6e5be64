import type { Clock } from '../../smoke/client.ts'

/** Creates a clock on which every sleep ends at once. */
export function createClock(): Clock {
  let skippedMs = 0
  const nowMs = () => performance.now() + skippedMs
  return {
    nowMs,
    async sleep(ms) {
      const endMs = nowMs() + ms
      await Promise.resolve()
      skippedMs += Math.max(0, endMs - nowMs())
    },
  }
}
