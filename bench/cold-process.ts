import { readFileSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'

type Handler = (event: unknown, context: object) => Promise<{ readonly statusCode: number }>

// This program is bundled to CommonJS, so that Node need not strip types.
const [, , bundle = '', event = ''] = process.argv
void run()

/** Loads a bundle, invokes it once, and writes the status to the pipe of the parent process. */
async function run(): Promise<void> {
  const { handler }: { handler: Handler } = createRequire(bundle)(bundle)
  const context = { getRemainingTimeInMillis: () => 10_000 }
  const { statusCode } = await handler(JSON.parse(readFileSync(event, 'utf8')), context)
  writeSync(3, `${statusCode}`)
  process.exit()
}
