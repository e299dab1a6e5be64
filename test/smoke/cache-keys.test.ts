import { expect, test } from 'vitest'
import { findTarget, spell } from '../../smoke/cache-keys.ts'
import { toReply } from '../support/smoke/reply.ts'

const toNetwork = (slug: string) => ({ slug, query: `?network=${slug}`, name: slug, chainId: '1' })
const toList = (slug: string, ...symbols: string[]) => ({
  network: toNetwork(slug),
  reply: toReply('/price', {}),
  entries: symbols.map(symbol => (symbol === 'BROKEN' ? { symbol, problem: {} } : { symbol })),
})

test('the target is a readable symbol of two networks that begins with three letters', () => {
  const lists = [toList('a', 'GE', 'BROKEN', 'AMD', 'IBM'), toList('b', 'GE', 'BROKEN', 'IBM'), toList('c', 'AMD')]
  expect(findTarget(lists)).toEqual({ symbol: 'IBM', networks: [toNetwork('a'), toNetwork('b')] })
})

test('there is no target without such a symbol, or without a second network', () => {
  expect(findTarget([toList('a', 'IBM'), toList('b', 'GE')])).toBeUndefined()
  expect(findTarget([toList('a', 'IBM')])).toBeUndefined()
})

test('a symbol is spelled in five ways that people do not use', () => {
  const spelled = (symbol: string) => [0, 1, 2, 3, 4].map(index => spell(symbol, index))
  expect(spelled('IBM')).toEqual(['iBm', 'IBm', 'ibM', 'IbM', 'iBM'])
  expect(spelled('labTSLA')).toEqual(['lAbtsla', 'LAbtsla', 'laBtsla', 'LaBtsla', 'lABtsla'])
})
