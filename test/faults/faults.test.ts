import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { faultTexts } from '../../checks/rpc/fault-texts.ts'
import { faultKinds } from '../../lambda/faults.ts'
import { attemptMs, hedgeDelayMs, readMs } from '../../lambda/timing.ts'
import { correct } from '../support/chain/correct-node.ts'
import { type FaultyNode, secret, startFaultyNode } from '../support/chain/faulty-node.ts'
import { importReadInRounds } from '../support/chain/read-in-rounds.ts'
import { stopClock, until } from '../support/clock.ts'
import { captureConsole } from '../support/container.ts'
import { expectNoLeak, expectResult, type Way, ways } from '../support/faults/expectations.ts'
import { type FaultCase, startCase } from '../support/faults/fault-case.ts'
import { connections } from './cases/connections.ts'
import { outputs } from './cases/outputs.ts'
import { replies } from './cases/replies.ts'
import { responses } from './cases/responses.ts'

// A read of a failing endpoint pauses before its second round. This mock shortens the pause.
vi.mock(import('node:timers/promises'), () => import('../support/chain/pauses.ts'))
const logged = captureConsole()
beforeAll(stopClock)
afterAll(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/**
 * Reads a case in every way, each at nodes of its own. The reads run at once, so that none prefers the endpoint of
 * another.
 */
async function play(faultCase: FaultCase): Promise<void> {
  await using started = new AsyncDisposableStack()
  const { readInRounds } = await importReadInRounds()
  const isSlow = faultCase.expected === 'timeout'
  const isReachable = faultCase.toOrigin === undefined
  const played = ways.filter(way => isReachable || !way.failsOnce)
  const nodes = await Promise.all(
    played.map(async way => ({
      way,
      faulty: started.use(await startCase(faultCase, way)),
      healthy: started.use(await startFaultyNode(correct)),
    })),
  )
  const reads = nodes.map(read => {
    const { feeds, isAlone } = read.way
    const rpcUrls = isAlone ? [read.faulty.url] : [read.faulty.url, read.healthy.url]
    const deadline = performance.now() + readMs
    return { ...read, result: readInRounds({ network: 'mainnet', feeds }, { rpcUrls, deadline }) }
  })
  if (isSlow) await passTime(reads)
  for (const { way, faulty, healthy, ...read } of reads) {
    const result = await read.result
    expectResult(result, way, faultCase)
    expectNoLeak(result, [faulty, healthy])
    const requests = [faulty, healthy].map(node => node.requests.length)
    // An endpoint gets one call in each of two rounds, whatever it does.
    expect(Math.max(...requests)).toBeLessThanOrEqual(2)
    if (isReachable) expect(requests.reduce((a, b) => a + b)).toBe(result.trace.attempts)
  }
}

/** Moves the clock while slow nodes are asked: first to the hedging delay, then to the end of both attempts. */
async function passTime(
  reads: readonly { readonly way: Way; readonly faulty: FaultyNode; readonly result: Promise<unknown> }[],
): Promise<void> {
  await until(() => reads.every(({ faulty }) => faulty.requests.length === 1))
  await vi.advanceTimersByTimeAsync(hedgeDelayMs)
  await Promise.all(reads.filter(({ way }) => !way.isAlone).map(({ result }) => result))
  await vi.advanceTimersByTimeAsync(attemptMs - hedgeDelayMs)
  await until(() => reads.every(({ way, faulty }) => !way.isAlone || faulty.requests.length === 2))
  await Promise.all(reads.filter(({ way }) => way.failsOnce).map(({ result }) => result))
  await vi.advanceTimersByTimeAsync(attemptMs)
}

const cases = [...connections, ...responses, ...replies, ...outputs]
for (const faultCase of cases) test(faultCase.title, () => play(faultCase))

test('every kind of fault has a case, except four that other tests cause', () => {
  const kinds = cases.flatMap(({ expected }) => (typeof expected === 'string' ? expected : []))
  // `hedge.test.ts` causes the first, `read-in-rounds.test.ts` the next two, and `load-rpc-urls.test.ts` the last.
  const others = ['slow', 'no-state', 'fewer-feeds', 'parameter-store']
  expect(new Set([...kinds, ...others])).toEqual(new Set(faultKinds))
})

test('nothing is written to the console', () => {
  expect(logged).toEqual([])
})

test('a leak is found at any depth', async () => {
  await using node = await startFaultyNode(correct)
  const url = `${node.url}`
  const leaks = [url, { headers: { a: secret } }, new Error('no', { cause: new Error(url) }), [{ at: [[secret]] }]]
  for (const leak of leaks) expect(() => expectNoLeak(leak, [])).toThrow()
  expect(() => expectNoLeak(`at host:${node.url.port}/`, [node])).toThrow()
})

test('docs/faults.md has the table of faults; if not: npx vitest run --project modules test/faults -u', async () => {
  const rows = faultKinds.map(kind => {
    const { meaning, seenAs, remedy } = faultTexts[kind]
    return `| \`${kind}\` | ${meaning} | ${seenAs} | ${remedy} |`
  })
  const page = readFileSync('docs/faults.md', 'utf8')
  const table = /(?<=^\|[ |-]+\|\n)(\|.*\n)+/m
  expect(page).toMatch(table)
  const written = page.replace(table, () => `${rows.join('\n')}\n`)
  await expect(written).toMatchFileSnapshot('../../docs/faults.md')
})
