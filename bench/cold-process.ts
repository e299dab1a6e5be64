import { readFileSync, writeSync } from 'node:fs'

/** What a fresh process tells of itself, in milliseconds. */
export interface ColdTimes {
  readonly importMs: number
  /** The first invocation, where there is a handler. */
  readonly firstMs: number
}

// A whole program, bundled to plain JavaScript: types would have to be stripped first.
const [, , bundle = '', event = ''] = process.argv
void run()

async function run(): Promise<void> {
  const began = performance.now()
  const { handler }: Readonly<Record<string, unknown>> = await import(bundle)
  const imported = performance.now()
  if (typeof handler === 'function') {
    const answer: { statusCode: number } = await handler(JSON.parse(readFileSync(event, 'utf8')), {
      getRemainingTimeInMillis: () => 10_000,
    })
    if (answer.statusCode !== 200) throw new Error(`The answer was ${answer.statusCode}.`)
  }
  const times: ColdTimes = { importMs: imported - began, firstMs: performance.now() - imported }
  writeSync(3, JSON.stringify(times))
  process.exit()
}
