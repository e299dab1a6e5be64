import { readFileSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'

/** What a fresh process measures of itself, in milliseconds. */
export interface ColdTimes {
  readonly importMs: number
  /** The first invocation. */
  readonly firstMs: number
}

type Handler = (event: unknown, context: object) => Promise<{ readonly statusCode: number }>

// This program is bundled to CommonJS, so that Node need not strip types.
const [, , bundle = '', event = ''] = process.argv
void run()

async function run(): Promise<void> {
  const began = performance.now()
  const { handler }: { handler: Handler } = createRequire(bundle)(bundle)
  const imported = performance.now()
  const { statusCode } = await handler(JSON.parse(readFileSync(event, 'utf8')), {
    getRemainingTimeInMillis: () => 10_000,
  })
  if (statusCode !== 200) throw new Error(`The status is ${statusCode}.`)
  const firstMs = performance.now() - imported
  writeSync(3, JSON.stringify({ importMs: imported - began, firstMs } satisfies ColdTimes))
  process.exit()
}
