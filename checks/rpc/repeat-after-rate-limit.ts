import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../lambda/faults.ts'

/**
 * The pause after a request that was refused for its rate. Many nodes limit the requests of each second, and the check
 * sends one right after another. A node counts them as they arrive, so the pause is longer than a second: the next
 * request may take less time on its way.
 */
export const rateLimitPauseMs = 1_100

/**
 * Sends one request. Repeats it once if the node limits its rate. The functions keep such a limit: a read is one
 * request.
 *
 * @param send sends the request, and throws a fault
 * @returns what the last try returned, or its fault
 */
export async function repeatAfterRateLimit<Result>(send: () => Promise<Result>): Promise<Result | Fault> {
  const result = await tryOnce(send)
  if (!(result instanceof Fault) || result.kind !== 'rate-limited') return result
  await sleep(rateLimitPauseMs)
  return await tryOnce(send)
}

async function tryOnce<Result>(send: () => Promise<Result>): Promise<Result | Fault> {
  try {
    return await send()
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}
