import { type Client, formatReply, type Reply } from './client.ts'

export interface Check {
  readonly name: string
  /** Sends its requests, or looks at the replies up to now. Throws the first mismatch. */
  readonly run: (client: Client) => void | Promise<void>
}

/**
 * A mismatch that does not fail the run: a network other than the default one is unavailable, or no record has a symbol
 * that the checks of the cache's key can use.
 */
export class Noted extends Error {}

export async function runChecks(checks: readonly Check[], client: Client) {
  const results: { name: string; result: 'passed' | 'failed' | 'noted'; detail: string }[] = []
  for (const { name, run } of checks) {
    try {
      await run(client)
      results.push({ name, result: 'passed', detail: '' })
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error)
      results.push({ name, result: error instanceof Noted ? 'noted' : 'failed', detail })
    }
  }
  return results
}

export function expectThat(isRight: boolean, reply: Reply, wrong: string): void {
  if (!isRight) throw new Error(`${formatReply(reply)}, ${wrong}`)
}
