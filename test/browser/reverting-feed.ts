import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { inject } from 'vitest'
import registry from '../../lambda/feeds/registry.json' with { type: 'json' }
import { test as base } from './board.ts'
import { startDeployment } from './deployment.ts'

/** Bytecode that reverts every call. */
const revertingCode = '0x60006000fd'

/**
 * A test of the board on which the feed PFE reverts.
 *
 * A proxy overrides the feed's code in each `eth_call`. The chain is not changed, because other tests read it at the same time.
 */
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the dependencies of a fixture from this pattern.
export const test = base.extend('deployment', { scope: 'file' }, async ({}, { onCleanup }) => {
  const rpcUrls = inject('rpcUrls')
  const pfe = registry.mainnet.find(({ symbol }) => symbol === 'PFE')?.address ?? ''
  const proxy = createServer(async (request, response) => {
    const call = (await json(request)) as { params: unknown[] }
    const body = JSON.stringify({ ...call, params: [...call.params, { [pfe]: { code: revertingCode } }] })
    const answer = await fetch(rpcUrls.mainnet, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    })
    response.writeHead(answer.status).end(await answer.text())
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const mainnet = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const deployment = await startDeployment({ ...rpcUrls, mainnet })
  onCleanup(async () => {
    await deployment.stop()
    proxy.close()
    proxy.closeAllConnections()
  })
  return deployment
})
