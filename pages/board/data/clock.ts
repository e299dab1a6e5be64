/** A moment on both clocks of this machine, in milliseconds. */
export interface Moment {
  /** Can be set back or forward at any time. */
  readonly wallMs: number
  /** Never goes back. In some browsers it stands still while the machine sleeps. */
  readonly monotonicMs: number
}

export function momentAgo(ms: number): Moment {
  return { wallMs: Date.now() - ms, monotonicMs: performance.now() - ms }
}

/** Returns the time since a moment, in seconds: the longer one of the two clocks. */
export function secondsSince({ wallMs, monotonicMs }: Moment): number {
  return Math.max(Date.now() - wallMs, performance.now() - monotonicMs) / 1_000
}
