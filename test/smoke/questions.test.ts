import { expect, test } from 'vitest'
import type { Answer } from '../../smoke/answer.ts'
import { concludeEmpty, concludeRepeated } from '../../smoke/cache-questions.ts'
import { parseJson } from '../../smoke/json.ts'
import { spell } from '../../smoke/probe.ts'
import { concludeDate, concludeFailure } from '../../smoke/questions.ts'

function answer(path: string, status: number, body: object, more: Partial<Answer> = {}): Answer {
  const text = JSON.stringify(body)
  const times = { receivedAtMs: 0, tookMs: 100 }
  return { method: 'GET', path, status, headers: new Headers(), text, body: parseJson(text), ...times, ...more }
}

const read = (query: string, chainId: number, second: number) =>
  answer(`/price/nFLX?${query}`, 200, { chainId, block: 1, readAt: `2026-11-20T19:26:0${second}.000Z` })
const both = 'network=mainnet&network=testnet'
const reversed = 'network=testnet&network=mainnet'

test('a cache that keys on the last value replays each order for it', () => {
  const conclusion = concludeRepeated([
    read(both, 46630, 1),
    read(reversed, 4663, 2),
    read('network=mainnet', 4663, 2),
    read('network=testnet', 46630, 1),
  ])
  expect(conclusion).toBe(
    `${both} is answered by testnet; ${reversed} is answered by mainnet. ` +
      `network=mainnet was given the answer of ${reversed}; network=testnet was given the answer of ${both}.`,
  )
})

test('a cache that keys on another value than the function reads can be poisoned, and that is said', () => {
  const conclusion = concludeRepeated([
    read(both, 46630, 1),
    read(reversed, 4663, 2),
    read('network=mainnet', 46630, 1),
    read('network=testnet', 4663, 2),
  ])
  expect(conclusion).toContain('A CALLER CAN PLANT A WRONG NETWORK: network=mainnet was testnet.')
  expect(conclusion).toContain('A CALLER CAN PLANT A WRONG NETWORK: network=testnet was mainnet.')
})

test('a cache that keys on all values replays nothing', () => {
  const conclusion = concludeRepeated([
    read(both, 46630, 1),
    read(reversed, 4663, 2),
    read('network=mainnet', 4663, 3),
    read('network=testnet', 46630, 4),
  ])
  expect(conclusion).toContain('None was given the answer of another.')
})

test.each([
  [[400, 200, 200, 400], /^No\. /],
  [[400, 400, 200, 200], /^Yes, and A CALLER CAN PLANT THE 400\. /],
  [[400, 200, 200, 200], /^Yes\. /],
  [[200, 200, 200, 200], /^Not clear\. /],
])('empty, none, none, empty: %j', (statuses, conclusion) => {
  expect(concludeEmpty(statuses.map(String), statuses)).toMatch(conclusion)
})

const failed = (tookMs: number, status = 503) => answer('/price', status, { title: 'Chain unavailable' }, { tookMs })

test('a failure that comes again at once looks cached', () => {
  expect(concludeFailure(failed(3_500), failed(20))).toMatch(/^It looks so, .* in 3500 ms, again .* in 20 ms\.$/)
  expect(concludeFailure(failed(3_500), failed(3_400))).toMatch(/^It does not look so, /)
  expect(concludeFailure(failed(3_500), failed(20, 200))).toMatch(/^No: /)
  expect(concludeFailure(failed(100, 200), failed(20, 200))).toMatch(/^not seen: it had passed/)
})

test('Date and Age of a hit are told', () => {
  const first = { ...read('', 4663, 1), headers: new Headers({ Date: 'Fri, 20 Nov 2026 19:26:01 GMT' }) }
  const hit = { ...first, receivedAtMs: 7_000 }
  expect(concludeDate(first, hit)).toBe(
    'On a hit 7.0 s after the first answer, Date is the first answer’s; Age is not there.',
  )
  const headers = new Headers({ Date: 'Fri, 20 Nov 2026 19:26:08 GMT', Age: '7' })
  expect(concludeDate(first, { ...hit, headers })).toContain('Date is 7 s later than at first; Age is 7.')
  expect(concludeDate(first, read('', 4663, 2))).toMatch(/^not seen: /)
})

test('a symbol is spelled in every way but people’s', () => {
  expect(spell('IBM')).toEqual(['Ibm', 'iBm', 'IBm', 'ibM', 'IbM', 'iBM'])
  expect(spell('labTSLA')).not.toContain('labtsla')
  expect(spell('F')).toEqual([])
})
