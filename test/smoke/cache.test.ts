import { expect, test } from 'vitest'
import { checkFresh, checkReplay, findTarget, spell } from '../../smoke/cache.ts'
import type { Client } from '../../smoke/client.ts'
import { toReply } from './reply.ts'

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

test('an answer that does not come is neither a new read nor a second one', async () => {
  const first = toReply('/price', { readAt: '2026-11-21T10:00:00.000Z' })
  const client = { ask: async () => ({ ...first, status: 0, fields: {}, failure: 'no answer (ECONNRESET)' }) }
  const failed = { outcome: 'failed', detail: '200 10:00:00.000, then no answer (ECONNRESET) ' }
  expect(await checkFresh(client as unknown as Client, first)).toMatchObject(failed)
  expect(await checkReplay(client as unknown as Client, first, false)).toMatchObject(failed)
})
