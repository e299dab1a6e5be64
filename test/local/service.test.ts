import { expect, test, vi } from 'vitest'
import { networks, ofEachNetwork } from '../../api/networks.ts'
import { StartFailure } from '../../local/run-command.ts'
import { startService } from '../../local/service.ts'
import { listProcesses } from '../support/local/processes.ts'
import { startService as startServiceAndServer } from '../support/service.ts'

/** Lists the child processes. */
const listChildren = () =>
  listProcesses()
    .filter(({ parent }) => parent === process.pid)
    .map(({ pid }) => pid)

test('when the second chain does not start, the first one is stopped', async () => {
  const earlier = listChildren()
  const listChains = () => listChildren().filter(pid => !earlier.includes(pid))
  const started: number[][] = []
  const { fetch } = globalThis
  const origins = new Set<string>()
  using _fetch = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    origins.add(new URL(input instanceof Request ? input.url : input).origin)
    if (origins.size === 1) return await fetch(input, init)
    started.push(listChains())
    throw new TypeError('fetch failed')
  })
  const failure = await startService(ofEachNetwork(() => 'embedded')).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(StartFailure)
  expect(started[0]).toHaveLength(2)
  expect(listChains()).toEqual([])
})

const countServers = () => process.getActiveResourcesInfo().filter(name => name === 'TCPServerWrap').length

test('a service that is disposed leaves no chain and no server, so that its process ends', async () => {
  const before = countServers()
  const service = await startServiceAndServer()
  const pids = Object.values(service.chains).map(({ pid }) => pid)
  const countChains = () => listChildren().filter(pid => pids.includes(pid)).length
  // The servers are Parameter Store and that of the API.
  expect([countChains(), countServers()]).toEqual([networks.length, before + 2])
  await service[Symbol.asyncDispose]()
  expect([countChains(), countServers()]).toEqual([0, before])
})
