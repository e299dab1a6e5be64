import { expect, test } from 'vitest'
import { findTarget } from '../../smoke/cache.ts'
import type { Fields } from '../../smoke/check.ts'

const noAnswer = { method: 'GET', path: '', status: 200, headers: new Headers(), text: '', receivedAtMs: 0 }
const answer = { ...noAnswer, json: undefined, exact: undefined }
const toNetwork = (slug: string) => ({ slug, query: `?network=${slug}`, name: slug, chainId: '1' })
const toList = (slug: string, ...symbols: string[]) => ({
  network: toNetwork(slug),
  answer,
  entries: symbols.map((symbol): Fields => (symbol === 'BROKEN' ? { symbol, problem: {} } : { symbol })),
})

test('the target is the longest readable symbol of two networks, in spellings that people do not use', () => {
  const lists = [toList('a', 'GE', 'IBM', 'BROKEN', 'OTHER'), toList('b', 'GE'), toList('c', 'IBM', 'BROKEN')]
  expect(findTarget(lists)).toEqual({
    symbol: 'IBM',
    networks: [toNetwork('a'), toNetwork('c')],
    spellings: ['iBM', 'IbM', 'IBm', 'iBm', 'ibM'],
  })
})

test('the registry’s own spelling of a symbol is not used', () => {
  expect(findTarget([toList('a', 'aB'), toList('b', 'aB')])).toMatchObject({ symbol: 'aB', spellings: [] })
})

test('there is no target without a symbol of two networks', () => {
  expect(findTarget([toList('a', 'IBM'), toList('b', 'GE')])).toBeUndefined()
})
