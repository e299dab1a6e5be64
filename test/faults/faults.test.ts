import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readMs } from '../../lambda/timing.ts'
import { canary, startFaultyNode } from '../support/chain/faulty-node.ts'
import { correct } from '../support/chain/keyed-node.ts'
import { importReader } from '../support/chain/reader.ts'
import { captureConsole } from '../support/container.ts'
import { expectNoLeak, expectResult, isDisturbed, ways } from '../support/faults/expectations.ts'
import { type FaultCase, startCase } from '../support/faults/fault-case.ts'
import { faultCases } from './cases/all.ts'

// One case in two pauses before the second round.
vi.mock(import('node:timers/promises'), async load =>
  (await import('../support/chain/pauses.ts')).shortenPauses(await load()),
)
// The cases that time out wait all at once.
vi.setConfig({ maxConcurrency: 20 })

let logged: readonly unknown[]
beforeAll(() => {
  logged = captureConsole()
})
afterAll(() => vi.restoreAllMocks())

let lastTurn: Promise<unknown> = Promise.resolve()

/** Imports the reader anew. Takes a turn, because all cases share the cache of modules. */
function importInTurn() {
  const imported = lastTurn.then(importReader)
  lastTurn = imported
  return imported
}

/**
 * Reads in every way, each at nodes of its own. All at once, so that no read prefers the endpoint of another.
 *
 * @param tries how often a case is played until a busy machine does not disturb it
 */
async function play(faultCase: FaultCase, tries = 4): Promise<void> {
  await using started = new AsyncDisposableStack()
  const { readFeeds } = await importInTurn()
  const reads = await Promise.all(
    ways.map(async way => ({
      way,
      faulty: started.use(await startCase(faultCase)),
      healthy: started.use(await startFaultyNode(correct)),
    })),
  )
  const played = await Promise.all(
    reads.map(async read => {
      const { feeds, isAlone, agreement } = read.way
      const rpcUrls = isAlone ? [read.faulty.url] : [read.faulty.url, read.healthy.url]
      const options = { rpcUrls, agreement, deadline: performance.now() + readMs }
      return { ...read, result: await readFeeds({ network: 'mainnet', feeds }, options) }
    }),
  )
  if (tries > 1 && played.some(({ way, result }) => isDisturbed(result, way, faultCase)))
    return play(faultCase, tries - 1)
  for (const { way, faulty, healthy, result } of played) {
    expectResult(result, way, faultCase)
    // `rows` are what a node returned. They are compared, and never leave the reader.
    expectNoLeak({ ...result, reading: { ...result.reading, rows: '' } }, [faulty, healthy])
    const requests = [faulty, healthy].map(node => node.requests.length)
    // An endpoint gets one call in each of two rounds, whatever it does.
    expect(Math.max(...requests)).toBeLessThanOrEqual(2)
    if (faultCase.unreachable === undefined) expect(requests.reduce((a, b) => a + b)).toBe(result.trace.attempts)
  }
}

const titled = faultCases.map(faultCase => [faultCase.title, faultCase] as const)
test.each(titled.filter(([, { expected }]) => expected !== 'timeout'))('%s', (_, faultCase) => play(faultCase))
test.concurrent.each(titled.filter(([, { expected }]) => expected === 'timeout'))('%s', (_, faultCase) =>
  play(faultCase),
)

test('nothing is written to the console (D25)', () => {
  expect(logged).toEqual([])
})

test('a leak is found at any depth', async () => {
  await using node = await startFaultyNode(correct)
  const url = `${node.url}`
  const leaks = [url, { headers: { a: canary } }, new Error('no', { cause: new Error(url) }), [{ at: [[canary]] }]]
  for (const leak of leaks) expect(() => expectNoLeak(leak, [])).toThrow()
  expect(() => expectNoLeak(`at host:${node.url.port}/`, [node])).toThrow()
})

test('every case has a title of its own', () => {
  expect(new Set(faultCases.map(({ title }) => title)).size).toBe(faultCases.length)
})
