import { expect, test } from 'vitest'
import { findTarget } from '../../smoke/cache.ts'
import type { Fields } from '../../smoke/check.ts'
import { mainnet } from '../../smoke/record.ts'

const noAnswer = { method: 'GET', path: '', status: 200, headers: new Headers(), text: '', receivedAtMs: 0 }
const answer = { ...noAnswer, json: undefined, exact: undefined }
const toList = (...entries: Fields[]) => ({ network: mainnet, answer, entries })

test('the target is the longest readable symbol of both networks, in spellings that people do not use', () => {
  const [ibm, longer, other] = [{ symbol: 'IBM' }, { symbol: 'LONG', problem: {} }, { symbol: 'OTHER' }]
  expect(findTarget([toList(ibm, longer, other), toList(ibm, longer)])).toEqual({
    symbol: 'IBM',
    spellings: ['iBM', 'IbM', 'IBm', 'iBm', 'ibM'],
  })
})

test('the registry’s own spelling of a symbol is not used', () => {
  expect(findTarget([toList({ symbol: 'aB' })])).toEqual({ symbol: 'aB', spellings: [] })
})

test('there is no target without a symbol of both networks', () => {
  expect(findTarget([toList({ symbol: 'IBM' }), toList({ symbol: 'GE' })])).toBeUndefined()
})
