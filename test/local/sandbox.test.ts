import { expect, test, vi } from 'vitest'
import { ofEachNetwork } from '../../api/networks.ts'
import type { LogLine } from '../../local/log.ts'
import { startSandbox } from '../../local/sandbox.ts'
import { listProcesses } from '../support/local/processes.ts'

const oneChain = { ...ofEachNetwork(() => 'deployed' as const), mainnet: 'embedded' } as const

const listNodes = () =>
  listProcesses().filter(({ parent, command }) => parent === process.pid && command.includes('anvil'))

test('a chain that has started is stopped when the next one fails', async () => {
  const before = listNodes()
  const request = globalThis.fetch
  const nodes = new Set<string>()
  using _fetch = vi.spyOn(globalThis, 'fetch').mockImplementation((url, init) => {
    nodes.add(`${url}`)
    return nodes.size < 2 ? request(url, init) : Promise.reject(new TypeError('broken'))
  })
  await expect(startSandbox(ofEachNetwork(() => 'embedded'))).rejects.toThrow('broken')
  expect(nodes.size).toBe(2)
  expect(listNodes()).toEqual(before)
})

test('a chain that ends by itself is reported with the remedy', async () => {
  const lines: LogLine[] = []
  await using sandbox = await startSandbox(oneChain, line => lines.push(line))
  process.kill(sandbox.chains.mainnet?.pid ?? Number.NaN, 'SIGKILL')
  await sandbox.chains.mainnet?.ended
  expect(lines).toEqual([{ source: 'chain of the mainnet', level: 'error', text: 'has ended. Restart.' }])
})
