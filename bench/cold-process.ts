import { readFileSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'

type Handler = (event: unknown, context: object) => Promise<{ readonly statusCode: number }>

// This program is bundled to CommonJS, so that Node need not strip types.
const [, , file, eventFile] = process.argv
if (file === undefined || eventFile === undefined) throw new Error('Name the file of a bundle, and that of an event.')
void run(file, eventFile)

/** Loads a bundle, invokes it once, and writes the status to the pipe of the parent process. */
async function run(file: string, eventFile: string): Promise<void> {
  const { handler }: { handler: Handler } = createRequire(file)(file)
  const context = { getRemainingTimeInMillis: () => 10_000 }
  const { statusCode } = await handler(JSON.parse(readFileSync(eventFile, 'utf8')), context)
  writeSync(3, `${statusCode}`)
  process.exit()
}
