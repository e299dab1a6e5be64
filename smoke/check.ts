import type { Client, Reply } from './client.ts'
import { formatValue, shorten, toPrintable } from './printable.ts'

export interface Check {
  readonly name: string
  /**
   * Sends its requests, or looks at the replies up to now. Returns what it saw.
   *
   * @throws {Finding} what it found
   */
  readonly run: (client: Client) => string | Promise<string>
}

export class Finding extends Error {
  /** Noted: of a network that can wait, or the replies that the check needs did not come. */
  readonly outcome: 'failed' | 'noted'

  constructor(outcome: Finding['outcome'], detail: string) {
    super(detail)
    this.outcome = outcome
  }
}

export interface Result {
  readonly name: string
  readonly outcome: 'passed' | Finding['outcome']
  /** At most some 600 characters, all printable. */
  readonly detail: string
}

export async function runChecks(checks: readonly Check[], client: Client): Promise<readonly Result[]> {
  const results: Result[] = []
  for (const { name, run } of checks) {
    try {
      results.push({ name, outcome: 'passed', detail: toDetail(await run(client)) })
    } catch (error) {
      const outcome = error instanceof Finding ? error.outcome : 'failed'
      results.push({ name, outcome, detail: toDetail(error instanceof Error ? error.message : String(error)) })
    }
  }
  return results
}

function toDetail(text: string): string {
  return shorten(toPrintable(shorten(text, 600)), 600)
}

export const shownMismatches = 3

/** Returns what was seen if there is no mismatch. Otherwise throws the first ones. */
export function expectNone(mismatches: readonly string[], seen: string): string {
  if (mismatches.length === 0) return seen
  const more = mismatches.length > shownMismatches ? ['and more'] : []
  throw new Finding('failed', [...mismatches.slice(0, shownMismatches), ...more].join('; '))
}

export function formatReply(reply: Reply): string {
  return `${reply.method} ${shorten(reply.path)}: ${formatOutcome(reply)}`
}

/** Formats the status of a reply and the title of a problem; or why there is no response. */
export function formatOutcome({ status, fields: { title }, failure }: Reply): string {
  return failure ?? (title === undefined ? `${status}` : `${status} ${formatValue(title)}`)
}
