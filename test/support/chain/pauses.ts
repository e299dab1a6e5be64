import type * as timers from 'node:timers/promises'
import { secondRoundPauseMs } from '../../../lambda/timing.ts'

/**
 * Shortens the pause before the second round of a read to a hundredth. Other waits keep their time.
 *
 * @param record called with the length of each pause
 * @example
 * vi.mock(import('node:timers/promises'), async load => (await import('./pauses.ts')).shortenPauses(await load()))
 */
export function shortenPauses(original: typeof timers, record: (pauseMs: number) => void = () => {}): typeof timers {
  const setTimeout: typeof timers.setTimeout = (ms = 0, ...rest) => {
    const isPause = ms >= secondRoundPauseMs.min && ms <= secondRoundPauseMs.max
    if (isPause) record(ms)
    return original.setTimeout(isPause ? ms / 100 : ms, ...rest)
  }
  return { ...original, setTimeout }
}
