import { startContestant } from './contestant.ts'
import { waysOf } from './round-trips.ts'
import type { Scene } from './scene.ts'

/** What the service answered, and what it asked the node for it. */
export interface OwnCall {
  readonly answer: string
  /** The body of its `eth_call`. */
  readonly call: string
}

/** Has the service answer a record and the list once, so that others can be measured at the very same calls. */
export async function captureCalls(scene: Scene): Promise<{ readonly record: OwnCall; readonly list: OwnCall }> {
  const [ours] = waysOf(scene)
  if (ours === undefined) throw new Error('There is no contestant.')
  const [, record, list] = ours
  const ask = async (way: typeof record): Promise<OwnCall> => {
    const contestant = startContestant(way, scene.farSide, 0)
    const { answer } = await contestant.ask({ times: 1 })
    await contestant.stop()
    return { answer, call: await scene.farSide.lastRequest() }
  }
  return { record: await ask(record), list: await ask(list) }
}
