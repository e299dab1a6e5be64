import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Attempt, type Endpoint, hedge } from '../../../lambda/chain/hedge.ts'
import { Fault, type FaultKind } from '../../../lambda/faults.ts'
import { attemptMs, hedgeDelayMs, readMs } from '../../../lambda/timing.ts'

const endpoints = ['a', 'b', 'c'].map((name, index) => ({ rpcUrl: new URL(`http://127.0.0.1/${name}`), index }))
const [a, b, c] = endpoints as [Endpoint, Endpoint, Endpoint]
const nameOf = ({ rpcUrl }: Endpoint) => rpcUrl.pathname.slice(1)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  // The clock starts at another moment than 0, so that a time differs from a duration.
  vi.advanceTimersByTime(1_000)
})
afterEach(() => void vi.useRealTimers())

type Behaviour = (signal: AbortSignal) => Promise<string>
type Behaviours = Readonly<Record<string, Behaviour>>

/** Creates endpoints that each behave in one way. Records which were asked and which were aborted. */
function createEndpoints(behaviours: Behaviours) {
  const asked: string[] = []
  const aborted: string[] = []
  const ask = (endpoint: Endpoint, signal: AbortSignal) => {
    const name = nameOf(endpoint)
    asked.push(name)
    signal.addEventListener('abort', () => aborted.push(name))
    return (behaviours[name] ?? (() => Promise.reject(new Error(`${name} has no behaviour`))))(signal)
  }
  return { ask, asked, aborted }
}

const fails =
  (kind: FaultKind): Behaviour =>
  () =>
    Promise.reject(new Fault(kind))
const returns =
  (value: string): Behaviour =>
  () =>
    Promise.resolve(value)
const returnsAfter =
  (ms: number, value: string): Behaviour =>
  () =>
    new Promise(resolve => setTimeout(resolve, ms, value))
const silent: Behaviour = signal =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Fault('timeout'))))
const fault = (endpoint: Endpoint, kind: FaultKind): Attempt<string> => ({ endpoint, fault: new Fault(kind) })

/** Asks the endpoints in a round, and moves the clock to its deadline, by which the round is over. */
async function run(settings: ReturnType<typeof round>) {
  const ended = vi.fn()
  const attempts = hedge(endpoints, settings).finally(ended)
  await vi.advanceTimersByTimeAsync(settings.deadline - performance.now())
  expect(ended).toHaveBeenCalledOnce()
  return await attempts
}

/** A round that ends when an endpoint returns `enough`. */
const round = (ask: (endpoint: Endpoint, signal: AbortSignal) => Promise<string>, timeoutMs = readMs) => ({
  ask,
  deadline: performance.now() + timeoutMs,
  isEnough: (value: string) => value === 'enough',
})

test.each<[string, Behaviours, readonly Attempt<string>[]]>([
  [
    'one that fails is followed by the next while another is still being asked',
    { a: silent, b: fails('rpc-error'), c: returns('enough') },
    [fault(b, 'rpc-error'), { endpoint: c, value: 'enough' }, fault(a, 'slow')],
  ],
  [
    'a value that is not enough is followed by the next at once, while another is still being asked',
    { a: silent, b: returns('part'), c: returns('enough') },
    [{ endpoint: b, value: 'part' }, { endpoint: c, value: 'enough' }, fault(a, 'slow')],
  ],
  [
    'the last one fails while the first is still being asked, and then returns',
    { a: returnsAfter(hedgeDelayMs + 100, 'enough'), b: fails('rpc-error'), c: fails('http-status') },
    [fault(b, 'rpc-error'), fault(c, 'http-status'), { endpoint: a, value: 'enough' }],
  ],
])('of three endpoints, %s (D24)', async (_, behaviours, attempts) => {
  const { ask, asked, aborted } = createEndpoints(behaviours)
  expect(await run(round(ask))).toEqual(attempts)
  expect(asked).toEqual(attempts.map(({ endpoint }) => nameOf(endpoint)).toSorted())
  expect(aborted).toEqual(asked.filter(name => behaviours[name] === silent))
})

test('each endpoint is asked the hedging delay after the one before (D24)', async () => {
  const began = performance.now()
  const times: number[] = []
  const ask = (_: Endpoint, signal: AbortSignal) => {
    times.push(performance.now() - began)
    return silent(signal)
  }
  // No attempt reaches its own time limit before the deadline.
  expect(await run(round(ask, 2 * hedgeDelayMs + 1))).toEqual([
    fault(a, 'timeout'),
    fault(b, 'timeout'),
    fault(c, 'timeout'),
  ])
  expect(times).toEqual([0, hedgeDelayMs, 2 * hedgeDelayMs])
})

test('an attempt ends at its time limit (D24)', async () => {
  const { ask, aborted } = createEndpoints({ a: silent })
  const attempts = hedge([a], round(ask))
  await vi.advanceTimersByTimeAsync(attemptMs - 1)
  expect(aborted).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(aborted).toEqual(['a'])
  expect(await attempts).toEqual([fault(a, 'timeout')])
})

test('an error that is no fault ends the round, and is thrown', async () => {
  const bug = new Error('a bug')
  const thrown = vi.fn()
  void hedge(
    endpoints,
    round(() => Promise.reject(bug)),
  ).catch(thrown)
  await vi.advanceTimersByTimeAsync(0)
  expect(thrown.mock.calls).toEqual([[bug]])
})

/** Plays a round that the first endpoint ends while the second one, which is asked in parallel, has not returned. */
async function endWhileAsking(second: Behaviour) {
  const { ask, asked } = createEndpoints({ a: returnsAfter(hedgeDelayMs + 100, 'enough'), b: second })
  const attempts = hedge(endpoints, round(ask))
  await vi.advanceTimersByTimeAsync(hedgeDelayMs + 100)
  expect(await attempts).toEqual([{ endpoint: a, value: 'enough' }, { endpoint: b }])
  return asked
}

test('no timer remains after the round', async () => {
  await endWhileAsking(silent)
  expect(vi.getTimerCount()).toBe(0)
})

test('no endpoint is asked after the round, even while an attempt does not end', async () => {
  const asked = await endWhileAsking(() => new Promise(() => {}))
  await vi.advanceTimersByTimeAsync(readMs)
  expect(asked).toEqual(['a', 'b'])
})
