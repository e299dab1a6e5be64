import { readFileSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'

/** What a fresh process tells of itself, in milliseconds. */
export interface ColdTimes {
  readonly importMs: number
  /** The first invocation, where there is a handler. */
  readonly firstMs: number
  /** The processor's time, of all threads, from the process's start to the answer. */
  readonly cpuMs: number
}

// A whole program, bundled to plain JavaScript: types would have to be stripped first.
const [, , bundle = '', event = ''] = process.argv
void run()

async function run(): Promise<void> {
  const began = performance.now()
  const { handler } = await load()
  const imported = performance.now()
  if (typeof handler === 'function') {
    const answer: { statusCode: number } = await handler(JSON.parse(readFileSync(event, 'utf8')), {
      getRemainingTimeInMillis: () => 10_000,
    })
    if (answer.statusCode !== 200) throw new Error(`The answer was ${answer.statusCode}.`)
  }
  const firstMs = performance.now() - imported
  const { user, system } = process.cpuUsage()
  const times: ColdTimes = { importMs: imported - began, firstMs, cpuMs: (user + system) / 1_000 }
  writeSync(3, JSON.stringify(times))
  process.exit()
}

/** Loads a bundle as Lambda does: CommonJS by `require`, an ES module by `import`. */
async function load(): Promise<Readonly<Record<string, unknown>>> {
  return bundle.endsWith('.mjs') ? await import(bundle) : createRequire(bundle)(bundle)
}
