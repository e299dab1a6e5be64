import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Endpoint, hedge, type Outcome } from '../../lambda/chain/hedge.ts'
import { Fault, type FaultKind } from '../../lambda/faults.ts'

const endpoints = ['a', 'b', 'c'].map((name, index) => ({ rpcUrl: new URL(`http://127.0.0.1/${name}`), index }))
const [a, b, c] = endpoints as [Endpoint, Endpoint, Endpoint]
const soon = (ms: number) => performance.now() + ms
const conclusive = () => true

/** Plays endpoints that each do one thing; records which were asked and which were aborted. */
function play(parts: Record<string, (signal: AbortSignal) => Promise<string>>) {
  const asked: string[] = []
  const aborted: string[] = []
  const ask = ({ rpcUrl }: Endpoint, signal: AbortSignal) => {
    const name = rpcUrl.pathname.slice(1)
    asked.push(name)
    signal.addEventListener('abort', () => aborted.push(name))
    return (parts[name] ?? (() => Promise.reject(new Error('not in the play'))))(signal)
  }
  return { ask, asked, aborted }
}

const fails = (kind: FaultKind) => () => Promise.reject(new Fault(kind))
const answers = (answer: string) => () => Promise.resolve(answer)
const silent = (signal: AbortSignal) =>
  new Promise<string>((_, reject) => signal.addEventListener('abort', () => reject(new Fault('timeout'))))
const fault = (endpoint: Endpoint, kind: FaultKind): Outcome<string> => ({ endpoint, fault: new Fault(kind) })

test('the first endpoint alone is asked when it answers', async () => {
  const { ask, asked } = play({ a: answers('yes') })
  expect(await hedge(endpoints, ask, conclusive, soon(1_000))).toEqual([{ endpoint: a, answer: 'yes' }])
  expect(asked).toEqual(['a'])
})

test('an endpoint that fails is followed by the next at once (D24)', async () => {
  const { ask, asked } = play({ a: fails('rate-limited'), b: fails('rpc-error'), c: answers('yes') })
  // The deadline comes before the hedging delay.
  expect(await hedge(endpoints, ask, conclusive, soon(500))).toEqual([
    fault(a, 'rate-limited'),
    fault(b, 'rpc-error'),
    { endpoint: c, answer: 'yes' },
  ])
  expect(asked).toEqual(['a', 'b', 'c'])
})

test('a silent endpoint is hedged by the next, and is aborted and slow when that answers (D24)', async () => {
  const { ask, asked, aborted } = play({ a: silent, b: answers('yes') })
  expect(await hedge(endpoints, ask, conclusive, soon(3_000))).toEqual([
    fault(a, 'slow'),
    { endpoint: b, answer: 'yes' },
  ])
  expect(asked).toEqual(['a', 'b'])
  expect(aborted).toContain('a')
})

test('the endpoint that was hedged may still answer first; the other has not failed by that', async () => {
  const { ask, asked } = play({ a: () => sleep(700, 'late'), b: silent, c: silent })
  expect(await hedge(endpoints, ask, conclusive, soon(3_000))).toEqual([{ endpoint: a, answer: 'late' }])
  expect(asked).toEqual(['a', 'b'])
})

test('the next is asked 600 ms after the one before (D24)', async () => {
  const times: number[] = []
  const began = performance.now()
  const ask = (_: Endpoint, signal: AbortSignal) => {
    times.push(performance.now() - began)
    return silent(signal)
  }
  await hedge(endpoints, ask, conclusive, soon(1_300))
  expect(times.map(time => Math.floor(time / 600))).toEqual([0, 1, 2])
})

test('when all fail, each has its fault, in the order of the failures', async () => {
  const { ask } = play({ a: fails('rate-limited'), b: fails('wrong-chain'), c: fails('old-head') })
  expect(await hedge(endpoints, ask, conclusive, soon(1_000))).toEqual([
    fault(a, 'rate-limited'),
    fault(b, 'wrong-chain'),
    fault(c, 'old-head'),
  ])
})

test('at the deadline all that are still being asked time out (D24)', async () => {
  const { ask, aborted } = play({ a: fails('rpc-error'), b: silent })
  expect(await hedge([a, b], ask, conclusive, soon(100))).toEqual([fault(b, 'timeout'), fault(a, 'rpc-error')])
  expect(aborted).toContain('b')
})

test('an attempt ends after 1.5 s (D24)', async () => {
  const { ask } = play({ a: silent })
  // Sooner than the deadline, and than two attempts.
  const outcomes = hedge([a], ask, conclusive, soon(10_000))
  expect(await Promise.race([outcomes, sleep(2_900, 'still asking')])).toEqual([fault(a, 'timeout')])
})

test('a provisional answer is followed by the next endpoint, and stands beside what came of the others (D24)', async () => {
  const { ask, asked } = play({ a: answers('one'), b: fails('rpc-error'), c: answers('two') })
  expect(await hedge(endpoints, ask, () => false, soon(1_000))).toEqual([
    { endpoint: a, answer: 'one' },
    fault(b, 'rpc-error'),
    { endpoint: c, answer: 'two' },
  ])
  expect(asked).toEqual(['a', 'b', 'c'])
})

test('a conclusive answer ends the round after a provisional one, and is the last outcome (D24)', async () => {
  const { ask, asked } = play({ a: answers('unsure'), b: answers('sure') })
  expect(await hedge(endpoints, ask, answer => answer === 'sure', soon(1_000))).toEqual([
    { endpoint: a, answer: 'unsure' },
    { endpoint: b, answer: 'sure' },
  ])
  expect(asked).toEqual(['a', 'b'])
})

test('a provisional answer is kept at the deadline', async () => {
  const { ask } = play({ a: answers('unsure'), b: silent, c: silent })
  expect(await hedge(endpoints, ask, () => false, soon(100))).toEqual([
    fault(b, 'timeout'),
    { endpoint: a, answer: 'unsure' },
  ])
})

test('an error that is no fault of an endpoint is not hidden as one', async () => {
  const { ask } = play({ a: () => Promise.reject(new TypeError('a bug')), b: answers('yes') })
  await expect(hedge(endpoints, ask, conclusive, soon(1_000))).rejects.toThrow(TypeError)
})

test('no timer remains when the round is over', async () => {
  const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length
  const before = timers()
  const { ask } = play({ a: fails('rpc-error'), b: answers('yes') })
  await hedge(endpoints, ask, conclusive, soon(3_000))
  expect(timers()).toBe(before)
})
