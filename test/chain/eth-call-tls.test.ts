import net from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { type EthCall, ethCall } from '../../lambda/chain/eth-call.ts'
import { Fault } from '../../lambda/faults.ts'
import { startTlsNode } from './tls-node.ts'

const trusted = getCACertificates('default')
afterEach(() => setDefaultCACertificates(trusted))

const call: EthCall = { to: '0xcA11bde05977b3631167028862bE2a173976CA11', data: '0x3408e470', block: 'latest' }
const ask = (url: URL) => ethCall(url, call, { signal: AbortSignal.timeout(2_000), countRequest: () => {} })

test('an answer over TLS is read', async () => {
  await using node = await startTlsNode()
  setDefaultCACertificates([node.certificate])
  expect(await ask(node.url)).toBe('0x12')
  expect(node.paths).toEqual(['/KEY'])
})

test('a TLS connection is kept for the next request, so that only the first pays for a handshake', async () => {
  await using node = await startTlsNode()
  setDefaultCACertificates([node.certificate])
  expect([await ask(node.url), await ask(node.url), await ask(node.url)]).toEqual(['0x12', '0x12', '0x12'])
  expect(node.connections()).toBe(1)
  expect(node.paths).toEqual(['/KEY', '/KEY', '/KEY'])
})

test('a TLS connection that broke while it was kept is one retry on a new one, in TLS too (D24)', async () => {
  await using node = await startTlsNode('127.0.0.1', true)
  setDefaultCACertificates([node.certificate])
  expect([await ask(node.url), await ask(node.url)]).toEqual(['0x12', '0x12'])
  expect(node.connections()).toBe(2)
  expect(node.paths).toEqual(['/KEY', '/KEY', '/KEY'])
})

test('a node whose certificate nobody vouches for is the fault unreachable, and is told no key (D25)', async () => {
  await using node = await startTlsNode()
  await using other = await startTlsNode()
  setDefaultCACertificates([other.certificate])
  await expect(ask(node.url)).rejects.toEqual(new Fault('unreachable'))
  expect(node.connections()).toBe(1)
  expect(node.paths).toEqual([])
})

test('a certificate for another host is the fault unreachable, and its bearer is told no key (D25)', async () => {
  await using node = await startTlsNode('127.0.0.2')
  setDefaultCACertificates([node.certificate])
  await expect(ask(node.url)).rejects.toEqual(new Fault('unreachable'))
  expect(node.connections()).toBe(1)
  expect(node.paths).toEqual([])
})

test('an https URL is spoken to in TLS, and never in the clear', async () => {
  const first: Buffer[] = []
  const server = net.createServer(socket => {
    socket.on('error', () => {})
    socket.once('data', part => {
      first.push(part)
      socket.destroy()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  await expect(ask(new URL(`https://127.0.0.1:${port}/KEY`))).rejects.toEqual(new Fault('unreachable'))
  // A handshake record, which is how TLS begins.
  expect(first[0]?.[0]).toBe(0x16)
  expect(first[0]?.toString('latin1')).not.toContain('KEY')
  server.close()
})
