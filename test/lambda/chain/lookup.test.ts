import dns from 'node:dns'
import http from 'node:http'
import { getDefaultAutoSelectFamily, setDefaultAutoSelectFamily } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { lookup } from '../../../lambda/chain/lookup.ts'
import { post } from '../../../lambda/chain/post.ts'
import { Fault } from '../../../lambda/faults.ts'
import { addressMs } from '../../../lambda/timing.ts'
import { startFaultyNode, status } from '../../support/chain/faulty-node.ts'

const autoSelectFamily = getDefaultAutoSelectFamily()
afterEach(() => {
  vi.restoreAllMocks()
  setDefaultAutoSelectFamily(autoSelectFamily)
})

const find = (name: string, options: { all?: boolean } = { all: true }) =>
  new Promise((resolve, reject) =>
    lookup(name, options, (error, ...found) =>
      error === null ? resolve(options.all ? found[0] : found) : reject(error),
    ),
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
  expect(lookups[0]?.options).toEqual({ all: true, order: 'verbatim' })
  const addresses = [{ address: '192.0.2.1', family: 4 }]
  const failure = new Error('ENOTFOUND')
  lookups[0]?.result.resolve(addresses)
  lookups[1]?.result.reject(failure)
  // Every caller has its result at once.
  expect(await Promise.race([Promise.allSettled(found), turn('no result')])).toEqual([
    { status: 'fulfilled', value: addresses },
    { status: 'fulfilled', value: addresses },
    { status: 'rejected', reason: failure },
  ])
  void find('a.example')
  void find('b.example')
  expect(lookups.map(({ name }) => name)).toEqual(['a.example', 'b.example', 'a.example', 'b.example'])
})

test('a caller that asks for one address gets the first one and its family', async () => {
  const addresses = [
    { address: '192.0.2.1', family: 4 },
    { address: '2001:db8::1', family: 6 },
  ]
  vi.spyOn(dns.promises, 'lookup').mockResolvedValue(addresses as never)
  // Node asks without this option if it makes no choice between addresses.
  expect(await find('c.example', {})).toEqual(['192.0.2.1', 4])
  expect(await find('c.example')).toEqual(addresses)
})

/** Waits for some turns of the event loop. */
async function turns(): Promise<string> {
  for (let count = 0; count < 10; count += 1) await turn()
  return 'no result'
}

const send = (url: URL) => post(url, '{"request":0}', new AbortController().signal)

test('a name that resolves to no address is unreachable', async () => {
  vi.spyOn(dns.promises, 'lookup').mockResolvedValue([] as never)
  const found = find('node.test').catch(String)
  expect(await Promise.race([found, turns()])).toBe('Error: The name has no address')
  await expect(send(new URL('http://node.test'))).rejects.toEqual(new Fault('unreachable'))
})

test('a host is reached at that of its addresses which listens, also if a shell turns the choice off (D24)', async () => {
  // As `NODE_OPTIONS=--no-network-family-autoselection` does.
  setDefaultAutoSelectFamily(false)
  const addresses = [
    { address: '::1', family: 6 },
    { address: '127.0.0.1', family: 4 },
  ]
  vi.spyOn(dns.promises, 'lookup').mockResolvedValue(addresses as never)
  const connect = vi.spyOn(http.Agent.prototype, 'createConnection')
  await using node = await startFaultyNode(status(200, 'yes'))
  expect(await send(new URL(`http://node.test:${node.url.port}`))).toBe('yes')
  // An address that never connects leaves time for the next one.
  expect(connect.mock.calls).toMatchObject([[{ autoSelectFamilyAttemptTimeout: addressMs }, expect.anything()]])
})
