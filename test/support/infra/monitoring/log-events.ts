import { vi } from 'vitest'
import type { LogFields } from '../../../../lambda/handlers/request-log.ts'

/** Runs some work, and returns the log events that Lambda writes for it to CloudWatch Logs. */
export async function eventsOf(work: () => unknown): Promise<object[]> {
  const events: object[] = []
  for (const level of ['info', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation(message => {
      const event = { timestamp: '2026-10-03T22:30:00.789Z', level: level.toUpperCase(), requestId: 'id', message }
      events.push(JSON.parse(JSON.stringify(event)))
    })
  }
  await work()
  return events
}

/** The log fields of a request that succeeds. */
export const healthy: LogFields = {
  network: 'mainnet',
  symbol: 'CRWD',
  block: 1,
  headAgeSeconds: 0,
  endpoint: 'rpc-1',
  lastResort: false,
  firstEndpointFaults: 0,
  round: 1,
  attempts: 1,
  faults: [],
  unreadable: [],
  ssmMs: 0,
  rpcMs: 120,
}

/** Selectors are of letters, digits, hyphens and underscores, with an index for an element. */
const clause = /(\$(?:\.[\w-]+(?:\[\d+\])?)+) (=|!=|IS|NOT) ("[^"]*"|\*|TRUE|EXISTS)/g

/** A group of clauses without parentheses. All have the same operator: which one binds first is not documented. */
const group = /^(?:true|false)(?: (&&|\|\|) (?:true|false)(?: \1 (?:true|false))*)?$/

/** Whether a filter of CloudWatch Logs matches an event. Supports the patterns that the stack uses. */
export function matches(pattern: string, event: object): boolean {
  const [, inner = ''] = /^\{ (.+) \}$/.exec(pattern) ?? []
  const isTrue = (_: string, selector: string, operator: string, operand: string) =>
    String(matchesClause(select(selector, event), operator, operand))
  return evaluate(inner.replace(clause, isTrue))
}

function matchesClause(value: unknown, operator: string, operand: string): boolean {
  if (operator === 'NOT') return value === undefined
  if (operator === 'IS') return String(value).toUpperCase() === operand
  // A selector of an array or an object does not match.
  if (operand === '*') return value !== undefined && typeof value !== 'object'
  return (JSON.stringify(value) === operand) === (operator === '=')
}

/** Evaluates the innermost groups first. */
function evaluate(text: string): boolean {
  const simpler = text.replace(/\(([^()]+)\)/g, (_, inner: string) => String(evaluate(inner)))
  if (simpler !== text) return evaluate(simpler)
  const [, operator] = group.exec(text) ?? [undefined, 'none']
  if (operator === 'none') throw new Error(`Not a supported JSON pattern: ${text}`)
  return operator === '||' ? text.includes('true') : !text.includes('false')
}

/** Lists the fields that a pattern selects. */
export function selectorsOf(pattern: string): readonly string[] {
  return [...pattern.matchAll(clause)].map(([, selector = '']) => selector)
}

/** Returns the value of a selector. */
export function select(selector: string, event: object): unknown {
  const path = selector.slice(2).split(/[.[\]]+/)
  return path.filter(part => part !== '').reduce<unknown>((value, part) => Object(value)[part], event)
}
