import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { type Endpoint, hedge, type Outcome } from '../../lambda/chain/hedge.ts'
import { Fault, type FaultKind } from '../../lambda/faults.ts'

const endpoints = ['a', 'b', 'c'].map((name, index) => ({ rpcUrl: new URL(`http://127.0.0.1/${name}`), index }))
const [a, b, c] = endpoints as [Endpoint, Endpoint, Endpoint]
const soon = (ms: number) => performance.now() + ms

afterEach(() => vi.useRealTimers())

/** Creates endpoints that each behave in one way. Records which were asked and which were aborted. */
function createEndpoints(behaviours: Record<string, (signal: AbortSignal) => Promise<string>>) {
  const asked: string[] = []
  const aborted: string[] = []
  const ask = ({ rpcUrl }: Endpoint, signal: AbortSignal) => {
    const name = rpcUrl.pathname.slice(1)
    asked.push(name)
    signal.addEventListener('abort', () => aborted.push(name))
    return (behaviours[name] ?? (() => Promise.reject(new Error(`${name} has no behaviour`))))(signal)
  }
  return { ask, asked, aborted }
}

const fails = (kind: FaultKind) => () => Promise.reject(new Fault(kind))
const answers = (answer: string) => () => Promise.resolve(answer)
const silent = (signal: AbortSignal) =>
  new Promise<string>((_, reject) => signal.addEventListener('abort', () => reject(new Fault('timeout'))))
/** Asks until an endpoint answers with anything but `provisional`. */
const round = (ask: Ask, deadline: number, parallel = 1) => ({
  ask,
  deadline,
  parallel,
  isOver: (outcomes: readonly Outcome<string>[]) =>
    outcomes.some(({ value }) => value !== undefined && value !== 'provisional'),
})
type Ask = (endpoint: Endpoint, signal: AbortSignal) => Promise<string>
const fault = (endpoint: Endpoint, kind: FaultKind): Outcome<string> => ({ endpoint, fault: new Fault(kind) })

test('only the first endpoint is asked when it answers', async () => {
  const { ask, asked } = createEndpoints({ a: answers('yes') })
  expect(await hedge(endpoints, round(ask, soon(1_000)))).toEqual([{ endpoint: a, value: 'yes' }])
  expect(asked).toEqual(['a'])
})

test('an endpoint that fails is followed by the next at once (D24)', async () => {
  const { ask, asked } = createEndpoints({ a: fails('rate-limited'), b: fails('rpc-error'), c: answers('yes') })
  // The deadline comes before the hedging delay.
  expect(await hedge(endpoints, round(ask, soon(500)))).toEqual([
    fault(a, 'rate-limited'),
    fault(b, 'rpc-error'),
    { endpoint: c, value: 'yes' },
  ])
  expect(asked).toEqual(['a', 'b', 'c'])
})

test('an endpoint that does not answer is hedged by the next; when that answers, the first is aborted and slow (D24)', async () => {
  const { ask, asked, aborted } = createEndpoints({ a: silent, b: answers('yes') })
  expect(await hedge(endpoints, round(ask, soon(3_000)))).toEqual([{ endpoint: b, value: 'yes' }, fault(a, 'slow')])
  expect(asked).toEqual(['a', 'b'])
  expect(aborted).toContain('a')
})

test('a hedged endpoint may still answer first; the other endpoint has neither a value nor a fault then', async () => {
  const { ask, asked } = createEndpoints({ a: () => sleep(700, 'late'), b: silent, c: silent })
  expect(await hedge(endpoints, round(ask, soon(3_000)))).toEqual([{ endpoint: a, value: 'late' }, { endpoint: b }])
  expect(asked).toEqual(['a', 'b'])
})

test('each endpoint is asked 600 ms after the one before (D24)', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const began = performance.now()
  const times: number[] = []
  const ask = (_: Endpoint, signal: AbortSignal) => {
    times.push(performance.now() - began)
    return silent(signal)
  }
  const outcomes = hedge(endpoints, round(ask, soon(1_750)))
  await vi.advanceTimersByTimeAsync(1_750)
  expect(await outcomes).toEqual([fault(a, 'timeout'), fault(b, 'timeout'), fault(c, 'timeout')])
  expect(times).toEqual([0, 600, 1_200])
})

test('when all endpoints fail, their faults are in the order of the failures', async () => {
  const { ask } = createEndpoints({ a: fails('rate-limited'), b: fails('wrong-chain'), c: fails('old-head') })
  expect(await hedge(endpoints, round(ask, soon(1_000)))).toEqual([
    fault(a, 'rate-limited'),
    fault(b, 'wrong-chain'),
    fault(c, 'old-head'),
  ])
})

test('at the deadline every endpoint that has not answered times out (D24)', async () => {
  const { ask, aborted } = createEndpoints({ a: fails('rpc-error'), b: silent })
  expect(await hedge([a, b], round(ask, soon(100)))).toEqual([fault(a, 'rpc-error'), fault(b, 'timeout')])
  expect(aborted).toContain('b')
})

test('an attempt ends after 1.5 s (D24)', async () => {
  const { ask } = createEndpoints({ a: silent })
  // Before the deadline, and before two attempts could end.
  const outcomes = hedge([a], round(ask, soon(10_000)))
  expect(await Promise.race([outcomes, sleep(2_900, 'too late', { ref: false })])).toEqual([fault(a, 'timeout')])
})

test('after a provisional answer the next endpoint is asked, and all outcomes are returned (D24)', async () => {
  const { ask, asked } = createEndpoints({
    a: answers('provisional'),
    b: fails('rpc-error'),
    c: answers('provisional'),
  })
  expect(await hedge(endpoints, round(ask, soon(1_000)))).toEqual([
    { endpoint: a, value: 'provisional' },
    fault(b, 'rpc-error'),
    { endpoint: c, value: 'provisional' },
  ])
  expect(asked).toEqual(['a', 'b', 'c'])
})

test('a conclusive answer after a provisional one ends the round, as the last outcome (D24)', async () => {
  const { ask, asked } = createEndpoints({ a: answers('provisional'), b: answers('conclusive') })
  expect(await hedge(endpoints, round(ask, soon(1_000)))).toEqual([
    { endpoint: a, value: 'provisional' },
    { endpoint: b, value: 'conclusive' },
  ])
  expect(asked).toEqual(['a', 'b'])
})

test('a provisional answer is returned at the deadline', async () => {
  const { ask } = createEndpoints({ a: answers('provisional'), b: silent, c: silent })
  expect(await hedge(endpoints, round(ask, soon(100)))).toEqual([
    { endpoint: a, value: 'provisional' },
    fault(b, 'timeout'),
  ])
})

test('an error that is no fault is thrown', async () => {
  const { ask } = createEndpoints({ a: () => Promise.reject(new TypeError('a bug')), b: answers('yes') })
  await expect(hedge(endpoints, round(ask, soon(1_000)))).rejects.toThrow(TypeError)
})

test('no timer remains after the round', async () => {
  const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length
  const before = timers()
  const { ask } = createEndpoints({ a: fails('rpc-error'), b: answers('yes') })
  await hedge(endpoints, round(ask, soon(3_000)))
  expect(timers()).toBe(before)
})

test('an endpoint that fails is followed by the next while another is still being asked (D24)', async () => {
  const { ask, asked } = createEndpoints({ a: silent, b: fails('rpc-error'), c: answers('yes') })
  expect(await hedge(endpoints, round(ask, soon(3_000)))).toEqual([
    fault(b, 'rpc-error'),
    { endpoint: c, value: 'yes' },
    fault(a, 'slow'),
  ])
  expect(asked).toEqual(['a', 'b', 'c'])
})

test('two endpoints are asked at once; one that answers alone waits for the other, and a fault is followed by the next (D29)', async () => {
  const both = (outcomes: readonly Outcome<string>[]) =>
    outcomes.filter(({ value }) => value !== undefined).length === 2
  const waiting = createEndpoints({ a: () => sleep(100, 'yes'), b: answers('yes'), c: answers('yes') })
  expect(await hedge(endpoints, { ...round(waiting.ask, soon(3_000), 2), isOver: both })).toEqual([
    { endpoint: b, value: 'yes' },
    { endpoint: a, value: 'yes' },
  ])
  expect(waiting.asked).toEqual(['a', 'b'])
  const failing = createEndpoints({ a: silent, b: fails('rpc-error'), c: answers('yes') })
  expect(await hedge(endpoints, { ...round(failing.ask, soon(300), 2), isOver: both })).toEqual([
    fault(b, 'rpc-error'),
    { endpoint: c, value: 'yes' },
    fault(a, 'timeout'),
  ])
})

test('no endpoint is asked after the round has ended', async () => {
  const { ask, asked } = createEndpoints({ a: answers('yes'), b: silent })
  await hedge(endpoints, round(ask, soon(3_000), 2))
  await sleep(650)
  expect(asked).toEqual(['a', 'b'])
})
