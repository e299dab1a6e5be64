/** A moment on both clocks of this machine, in milliseconds. */
export interface Moment {
  /** Can be set back or forward at any time. */
  readonly wall: number
  /** Never goes back. In some browsers it stands still while the machine sleeps. */
  readonly monotonic: number
}

export function momentAgo(ms: number): Moment {
  return { wall: Date.now() - ms, monotonic: performance.now() - ms }
}

/** Returns the time since a moment, in seconds: the longer one of the two clocks. */
export function secondsSince({ wall, monotonic }: Moment): number {
  return Math.max(Date.now() - wall, performance.now() - monotonic) / 1_000
}
