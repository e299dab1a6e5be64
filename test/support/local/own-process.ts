import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

// Runs a bundled function in a process of its own, as Lambda does: one line of JSON in, an event; one line out, the
// status of the response.
const [entry = ''] = process.argv.slice(2)
for (const method of ['debug', 'error', 'info', 'log', 'warn'] as const) console[method] = () => {}
const { handler } = await import(pathToFileURL(entry).href)
for await (const line of createInterface({ input: process.stdin })) {
  const { statusCode } = await handler(JSON.parse(line), { getRemainingTimeInMillis: () => 10_000 })
  process.stdout.write(`${statusCode}\n`)
}
process.exit()
