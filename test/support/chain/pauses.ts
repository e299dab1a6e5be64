import { secondRoundPauseMs } from '../../../lambda/timing.ts'

const timers = process.getBuiltinModule('node:timers/promises')

export const { scheduler, setImmediate, setInterval } = timers

/**
 * Shortens the pause before the second round of a read to a hundredth. Other waits keep their time.
 *
 * @example
 * vi.mock(import('node:timers/promises'), () => import('./pauses.ts'))
 */
export const setTimeout: typeof timers.setTimeout = (ms = 0, ...rest) => {
  const isPause = ms >= secondRoundPauseMs.min && ms <= secondRoundPauseMs.max
  return timers.setTimeout(isPause ? ms / 100 : ms, ...rest)
}
