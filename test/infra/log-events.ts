import { vi } from 'vitest'
import type { LogFields } from '../../lambda/handlers/request-log.ts'

/** Runs something, and returns the log events that Lambda writes for it to CloudWatch Logs. */
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
  round: 1,
  attempts: 1,
  requests: 1,
  faults: [],
  unreadable: [],
  ssmMs: 0,
  rpcMs: 120,
}
