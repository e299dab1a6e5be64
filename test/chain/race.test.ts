import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { Fault } from '../../lambda/chain/fault.ts'
import { race } from '../../lambda/chain/race.ts'
import { ChainUnavailable, type FaultKind } from '../../lambda/problems.ts'

let rpcUrls: URL[]
beforeEach(() => {
  rpcUrls = ['a', 'b', 'c'].map(name => new URL(`http://127.0.0.1/${name}`))
})
const nameOf = (rpcUrl: URL) => rpcUrl.pathname.slice(1)
const soon = (ms: number) => performance.now() + ms
const settled = () => true

/** Plays endpoints that each do one thing; tells which were asked, and which were let go. */
function play(parts: Record<string, (signal: AbortSignal) => Promise<string>>) {
  const asked: string[] = []
  const aborted: string[] = []
  const ask = (rpcUrl: URL, signal: AbortSignal) => {
    const name = nameOf(rpcUrl)
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

test('the first endpoint alone is asked when it answers', async () => {
  const { ask, asked } = play({ a: answers('yes') })
  expect((await race(rpcUrls, ask, settled, soon(1_000))).answer).toBe('yes')
  expect(asked).toEqual(['a'])
})

test('an endpoint that fails is followed by the next at once (D24)', async () => {
  const { ask, asked } = play({ a: fails('rate-limited'), b: fails('rpc-error'), c: answers('yes') })
  // The deadline comes before any silence could have called the next.
  expect((await race(rpcUrls, ask, settled, soon(500))).answer).toBe('yes')
  expect(asked).toEqual(['a', 'b', 'c'])
})

test('a silent endpoint is raced by the next, and let go when that answers (D24)', async () => {
  const { ask, asked, aborted } = play({ a: silent, b: answers('yes') })
  expect((await race(rpcUrls, ask, settled, soon(3_000))).answer).toBe('yes')
  expect(asked).toEqual(['a', 'b'])
  expect(aborted).toContain('a')
})

test('a slow endpoint may still win the race', async () => {
  const { ask, asked } = play({ a: () => sleep(700, 'slow'), b: silent, c: silent })
  expect((await race(rpcUrls, ask, settled, soon(3_000))).answer).toBe('slow')
  expect(asked).toEqual(['a', 'b'])
})

test('when all fail, each is named by its place and its kind (D25)', async () => {
  const { ask } = play({ a: fails('rate-limited'), b: fails('wrong-chain'), c: fails('old-head') })
  const error = await race(rpcUrls, ask, settled, soon(1_000)).catch((problem: unknown) => problem)
  expect(error).toBeInstanceOf(ChainUnavailable)
  expect(error).toMatchObject({
    faults: [
      { endpoint: 'rpc-1', kind: 'rate-limited' },
      { endpoint: 'rpc-2', kind: 'wrong-chain' },
      { endpoint: 'rpc-3', kind: 'old-head' },
    ],
  })
})

test('everything is over at the deadline, whoever is still being asked (D24)', async () => {
  const { ask, aborted } = play({ a: silent })
  const error: unknown = await race(rpcUrls.slice(0, 1), ask, settled, soon(100)).catch((problem: unknown) => problem)
  expect(error).toBeInstanceOf(ChainUnavailable)
  expect(error).toMatchObject({ faults: [{ endpoint: 'rpc-1', kind: 'timeout' }] })
  expect(aborted).toEqual(['a'])
})

test('an attempt ends after 1.5 s (D24)', async () => {
  const { ask } = play({ a: silent })
  // Sooner than the deadline, and than two attempts.
  const outcome = race(rpcUrls.slice(0, 1), ask, settled, soon(10_000)).catch((problem: unknown) => problem)
  const first = await Promise.race([outcome, sleep(2_900, 'still asking')])
  expect(first).toMatchObject({ faults: [{ endpoint: 'rpc-1', kind: 'timeout' }] })
})

test('an answer that is not settled stands when every other endpoint agrees or fails (D24)', async () => {
  const { ask, asked } = play({ a: answers('unsure'), b: fails('rpc-error'), c: answers('unsure too') })
  expect((await race(rpcUrls, ask, () => false, soon(1_000))).answer).toBe('unsure')
  expect(asked).toEqual(['a', 'b', 'c'])
})

test('an answer that is not settled gives way to one that is (D24)', async () => {
  const { ask } = play({ a: answers('unsure'), b: fails('rpc-error'), c: answers('sure') })
  expect((await race(rpcUrls, ask, answer => answer === 'sure', soon(1_000))).answer).toBe('sure')
})

test('an answer that is not settled stands at the deadline', async () => {
  const { ask } = play({ a: answers('unsure'), b: silent, c: silent })
  expect((await race(rpcUrls, ask, () => false, soon(100))).answer).toBe('unsure')
})

test('what is no fault of an endpoint is not hidden as one', async () => {
  const { ask } = play({ a: () => Promise.reject(new TypeError('a bug')), b: answers('yes') })
  await expect(race(rpcUrls, ask, settled, soon(1_000))).rejects.toThrow(TypeError)
})

test('no timer goes on when the race is over', async () => {
  const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length
  const before = timers()
  const { ask } = play({ a: fails('rpc-error'), b: answers('yes') })
  await race(rpcUrls, ask, settled, soon(3_000))
  expect(timers()).toBe(before)
})

test('what it took is told with the answer', async () => {
  const { ask } = play({ a: fails('rate-limited'), b: answers('yes') })
  expect(await race(rpcUrls, ask, settled, soon(1_000))).toEqual({
    answer: 'yes',
    course: { endpoint: 'rpc-2', attempts: 2, faults: [{ endpoint: 'rpc-1', kind: 'rate-limited' }] },
  })
})

test('whoever answered last is asked first next time, and keeps its place in the log (D24)', async () => {
  const down = play({ a: fails('unreachable'), b: answers('yes') })
  await race(rpcUrls, down.ask, settled, soon(1_000))
  const healed = play({ a: answers('no'), b: answers('yes') })
  expect(await race(rpcUrls, healed.ask, settled, soon(1_000))).toEqual({
    answer: 'yes',
    course: { endpoint: 'rpc-2', attempts: 1, faults: [] },
  })
  const swapped = play({ a: answers('again'), b: fails('unreachable') })
  await race(rpcUrls, swapped.ask, settled, soon(1_000))
  expect(swapped.asked).toEqual(['b', 'a'])
  expect((await race(rpcUrls, healed.ask, settled, soon(1_000))).course.endpoint).toBe('rpc-1')
})

test('URLs that are loaded anew are asked in their order again', async () => {
  const down = play({ a: fails('unreachable'), b: answers('yes') })
  await race(rpcUrls, down.ask, settled, soon(1_000))
  const { ask, asked } = play({ a: answers('yes') })
  await race(
    rpcUrls.map(({ href }) => new URL(href)),
    ask,
    settled,
    soon(1_000),
  )
  expect(asked).toEqual(['a'])
})

test('a loser that was let go is not said to have failed', async () => {
  const { ask } = play({ a: silent, b: answers('yes') })
  const { course } = await race(rpcUrls, ask, settled, soon(3_000))
  await sleep(50)
  expect(course).toEqual({ endpoint: 'rpc-2', attempts: 2, faults: [] })
})
