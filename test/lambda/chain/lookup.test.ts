import dns from 'node:dns'
import { afterEach, expect, test, vi } from 'vitest'
import { lookup } from '../../../lambda/chain/lookup.ts'

afterEach(() => vi.restoreAllMocks())

const find = (name: string) =>
  new Promise((resolve, reject) =>
    lookup(name, {}, (error, addresses) => (error === null ? resolve(addresses) : reject(error))),
  )

test('a name is looked up once until the lookup has a result (D24)', async () => {
  const lookups: { name: string; options: unknown; result: PromiseWithResolvers<dns.LookupAddress[]> }[] = []
  vi.spyOn(dns.promises, 'lookup').mockImplementation((name: string, options?: object) => {
    const result = Promise.withResolvers<dns.LookupAddress[]>()
    lookups.push({ name, options, result })
    return result.promise as never
  })
  const found = [find('a.example'), find('a.example'), find('b.example')]
  expect(lookups.map(({ name }) => name)).toEqual(['a.example', 'b.example'])
  expect(lookups[0]?.options).toEqual({ all: true })
  const addresses = [{ address: '192.0.2.1', family: 4 }]
  const failure = new Error('ENOTFOUND')
  lookups[0]?.result.resolve(addresses)
  lookups[1]?.result.reject(failure)
  expect(await Promise.allSettled(found)).toEqual([
    { status: 'fulfilled', value: addresses },
    { status: 'fulfilled', value: addresses },
    { status: 'rejected', reason: failure },
  ])
  void find('a.example')
  void find('b.example')
  expect(lookups.map(({ name }) => name)).toEqual(['a.example', 'b.example', 'a.example', 'b.example'])
})
