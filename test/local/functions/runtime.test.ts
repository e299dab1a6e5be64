import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { afterEach, expect, test, vi } from 'vitest'
import { FunctionFailed } from '../../../local/functions/container.ts'
import { createFunctions, type Functions } from '../../../local/functions/runtime.ts'
import type { LogLine } from '../../../local/log.ts'
import { StartFailure } from '../../../local/run-command.ts'
import type { LambdaFunction } from '../../../local/template/template.ts'
import { until } from '../../support/clock.ts'

const stops: (() => Promise<unknown>)[] = []

afterEach(async () => {
  vi.useRealTimers()
  for (const stop of stops.splice(0)) await stop()
})

/** Creates functions from the texts of their bundles. */
async function createFrom(
  bundles: Record<string, string>,
  settings: Partial<LambdaFunction> = {},
  variables: Record<string, string> = {},
): Promise<Functions & { lines: LogLine[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'price-lookup-functions-'))
  stops.push(() => rm(folder, { recursive: true }))
  const functions = new Map<string, LambdaFunction>()
  for (const [name, text] of Object.entries(bundles)) {
    const entry = join(folder, `${name}.mjs`)
    await writeFile(entry, text)
    functions.set(name, {
      name,
      entry,
      runtime: 'nodejs24.x',
      timeoutMs: 100_000,
      memoryMb: 128,
      environment: {},
      ...settings,
    })
  }
  const lines: LogLine[] = []
  const created = createFunctions({ functions, variables, log: line => lines.push(line) })
  stops.unshift(created.stop)
  return { ...created, lines }
}

const settle = (promises: Promise<string>[]): Promise<unknown[]> =>
  Promise.all(promises.map(promise => promise.then(JSON.parse, (error: unknown) => error)))

test('a handler gets a copy of the event, and a context that works unbound', async () => {
  const { invoke } = await createFrom({
    Echo: `let nowMs = 0
    performance.now = () => nowMs
    export const handler = async (event, { getRemainingTimeInMillis }) => {
      nowMs = 1_000
      return { event, left: getRemainingTimeInMillis() }
    }`,
  })
  expect(JSON.parse(await invoke('Echo', { text: 'a', none: null, left: undefined }))).toEqual({
    event: { text: 'a', none: null },
    left: 99_000,
  })
})

test('a container that ends after its response is replaced for the next invocation', async () => {
  const { invoke, lines } = await createFrom({
    Late: `export const handler = event => { if (event.ends) setTimeout(() => process.exit(1)); return 'answered' }`,
  })
  expect(JSON.parse(await invoke('Late', { ends: true }))).toBe('answered')
  await expect.poll(() => lines.map(({ text }) => text)).toEqual(['ended with exit code 1.'])
  expect(JSON.parse(await invoke('Late', {}))).toBe('answered')
})

test('a crash is logged with the line of the source in the repository, by the map in the bundle', async () => {
  const { outputFiles } = buildSync({
    stdin: {
      contents: '\n\nexport const handler = () => {\n  throw new TypeError("crash")\n}\n',
      sourcefile: 'lambda/crash.ts',
    },
    ...{ sourcemap: 'inline', sourcesContent: false, minify: true, write: false },
    ...{ format: 'esm', outfile: '/repository/index.js', absWorkingDir: '/repository' },
  })
  const { invoke, lines } = await createFrom({ Crash: outputFiles[0]?.text ?? '' })
  await expect(invoke('Crash', {})).rejects.toThrow('crash')
  expect(lines.map(({ text }) => text)).toEqual([
    expect.stringMatching(/TypeError: crash\n +at \S+ \(lambda\/crash\.ts:4:9\)$/m),
  ])
})

test('functions share no globals and no environment, neither with each other nor with this process', async () => {
  const report = `export const handler = () => {
    const before = globalThis.mark ?? null
    globalThis.mark = 'set'
    process.env.MARK = 'set'
    return { before, env: { ...process.env, HOME: undefined } }
  }`
  const ofAll = { AWS_ENDPOINT_URL_SSM: 'http://127.0.0.1:1' }
  const { invoke } = await createFrom({ One: report, Two: report }, { environment: { NAME: 'value' } }, ofAll)
  const ofLambda = { AWS_ACCESS_KEY_ID: 'local', AWS_REGION: 'us-east-1', AWS_SECRET_ACCESS_KEY: 'local' }
  const env = { ...ofLambda, ...ofAll, MARK: 'set', NAME: 'value' }
  for (const name of ['One', 'Two']) expect(JSON.parse(await invoke(name, {}))).toEqual({ before: null, env })
  expect(process.env['MARK']).toBeUndefined()
})

test('a container runs one invocation after another', async () => {
  const { invoke } = await createFrom({
    Slow: `let running = 0, served = 0
    export const handler = async () => {
      const alone = ++running === 1
      await new Promise(resolve => setTimeout(resolve, 200))
      running -= 1
      return { alone, served: ++served }
    }`,
  })
  expect(await settle([invoke('Slow', {}), invoke('Slow', {}), invoke('Slow', {})])).toEqual(
    Array(3).fill({ alone: true, served: 1 }),
  )
  expect(JSON.parse(await invoke('Slow', {}))).toEqual({ alone: true, served: 2 })
})

test('a function has at most 20 containers: further invocations wait', async () => {
  const slow = `let served = 0
    export const handler = async () => {
      await new Promise(resolve => setTimeout(resolve, 50))
      return ++served
    }`
  const { invoke } = await createFrom({ Slow: slow })
  const served = await settle(Array.from({ length: 25 }, () => invoke('Slow', {})))
  expect(served.filter(count => count === 1)).toHaveLength(20)
})

test.each([
  ['throws', /^TypeError: no such thing$/, /no such thing\n +at /],
  ['exits', /^ended with exit code 3\.$/, /exit code 3/],
  ['throws outside of the handler', /^Error: lost/, /lost/],
  ['returns a value without JSON', /^TypeError: .*BigInt/, /BigInt/],
])('a function that %s fails with the reason, until the next invocation', async (way, reason, logged) => {
  const { invoke, lines } = await createFrom({
    Bad: `const ways = {
        throws: async () => { throw new TypeError('no such thing') },
        exits: () => process.exit(3),
        'throws outside of the handler': () => new Promise(() => setImmediate(() => { throw new Error('lost') })),
        'returns a value without JSON': () => ({ big: 1n }),
        works: () => 'good',
      }
      export const handler = ({ way }) => ways[way]()`,
  })
  const invoking = invoke('Bad', { way })
  await expect(invoking).rejects.toThrow(FunctionFailed)
  await expect(invoking).rejects.toThrow(reason)
  expect(lines).toEqual([{ source: 'Bad', level: 'error', text: expect.stringMatching(logged) }])
  expect(await invoke('Bad', { way: 'works' })).toBe('"good"')
})

test.for(['wait', 'loop'])('a function that times out is ended with its container: %s', async kind => {
  const { invoke, lines } = await createFrom(
    {
      Hung: `let served = 0
      export const handler = ({ kind }) => {
        served += 1
        console.log('invoked')
        if (kind === 'loop') for (;;);
        return kind === 'wait' ? new Promise(() => {}) : served
      }`,
    },
    { timeoutMs: 500 },
  )
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const hung = settle([invoke('Hung', { kind })])
  await until(() => lines.length > 0)
  vi.advanceTimersByTime(499)
  expect(lines).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(await hung).toEqual([new FunctionFailed('timed out after 0.5 s.')])
  expect(lines.slice(1)).toEqual([{ source: 'Hung', level: 'error', text: 'timed out after 0.5 s.' }])
  expect(await settle([invoke('Hung', {})])).toEqual([1])
})

test.for([
  ['cannot be loaded', 'throw new Error("broken bundle")', /^Error: broken bundle/],
  ['has no such handler', 'export const other = 1', /does not export handler/],
] as const)('a bundle that %s fails every invocation', async ([, bundle, reason]) => {
  const { invoke, lines } = await createFrom({ Broken: bundle })
  for (const count of [1, 2]) {
    await expect(invoke('Broken', {})).rejects.toThrow(reason)
    expect(lines).toHaveLength(count)
  }
})

test('a bundle that was removed fails the invocation with a sentence', async () => {
  const { invoke, lines } = await createFrom({ Lost: '' }, { entry: '/nowhere/Lost.mjs' })
  await expect(invoke('Lost', {})).rejects.toThrow(FunctionFailed)
  expect(lines).toEqual([
    {
      source: 'Lost',
      level: 'error',
      text: expect.stringMatching(/^has lost its bundle \/nowhere\/Lost\.mjs\. Restart\.$/),
    },
  ])
})

test('a function has the memory limit of the template', async () => {
  // 240 MB.
  const { invoke } = await createFrom({
    Greedy: 'export const handler = () => Array.from({ length: 300 }, () => new Array(1e5).fill(Math.random())).length',
  })
  await expect(invoke('Greedy', {})).rejects.toThrow('reaching memory limit')
})

test('the console of a function is the log, with objects as JSON', async () => {
  const { invoke, lines } = await createFrom({
    Talker: `export const handler = () => {
      console.info({ outcome: 'ok', n: 1 })
      console.log('%s of %d', 'one', 2)
      console.warn(new Error('odd').message)
    }`,
  })
  await invoke('Talker', {})
  expect(lines).toEqual([
    { source: 'Talker', level: 'info', text: '{"outcome":"ok","n":1}' },
    { source: 'Talker', level: 'info', text: 'one of 2' },
    { source: 'Talker', level: 'warn', text: 'odd' },
  ])
})

test('stop ends the running invocations and rejects new ones', async () => {
  const { invoke, stop, lines } = await createFrom({
    Hung: 'export const handler = () => { console.log("invoked"); return new Promise(() => {}) }',
  })
  const running = settle([invoke('Hung', {})])
  await until(() => lines.length > 0)
  await stop()
  expect(await running).toEqual([new FunctionFailed('was stopped.')])
  expect(await settle([invoke('Hung', {})])).toEqual([new FunctionFailed('was stopped.')])
})

test('functions for another version of Node are rejected', async () => {
  const reason = `Old needs nodejs18.x, but this is Node ${process.versions.node}. Start it with npm.`
  const creating = createFrom({ Old: 'export const handler = () => {}' }, { runtime: 'nodejs18.x' })
  await expect(creating).rejects.toEqual(new StartFailure(reason))
})
