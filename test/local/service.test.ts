import { expect, test, vi } from 'vitest'
import { ofEachNetwork } from '../../api/networks.ts'
import { StartFailure } from '../../local/run-command.ts'
import { startService } from '../../local/service.ts'
import { listProcesses } from '../support/local/processes.ts'

test('when the second chain does not start, the first one is stopped', async () => {
  const before = new Set(listProcesses().map(({ pid }) => pid))
  const countChains = () =>
    listProcesses().filter(({ pid, parent }) => parent === process.pid && !before.has(pid)).length
  const counts: number[] = []
  const { fetch } = globalThis
  const origins = new Set<string>()
  using _fetch = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    origins.add(new URL(input instanceof Request ? input.url : input).origin)
    if (origins.size === 1) return await fetch(input, init)
    counts.push(countChains())
    throw new TypeError('fetch failed')
  })
  const failure = await startService(ofEachNetwork(() => 'embedded')).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(StartFailure)
  expect([counts[0], countChains()]).toEqual([2, 0])
})
