import { spawn, spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ofEachNetwork } from '../../api/networks.ts'
import { bundling } from '../../infra/functions/node-function.ts'
import { threads } from '../../infra/functions/route-function.ts'
import getPriceEvent from '../../local/events/get-price-crwd.json' with { type: 'json' }
import { type Service, startService } from '../../local/service.ts'
import { forward, startFaultyNode, startProxyNode } from '../support/chain/faulty-node.ts'
import { makeUnreadable } from '../support/local/make-unreadable.ts'

// The functions' process gets a resolver that never replies. That needs Linux, and root's right to mount, which many
// containers lack. The port is always 53, so each run has its own address.
const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0
if (!canMount)
  process.stderr.write('\n*** NOT RUN: names that hang: without unshare, or without the right to mount ***\n\n')
const nameserver = `127.53.${(process.pid >> 8) & 255}.${process.pid & 255}`
const deadNames = ['https://dead-one.example/KEY', 'https://dead-two.example/KEY'] as const

let service: Service
let folder: string
const stops: (() => unknown)[] = []

/** A URL whose host is looked up. */
const toNamed = (url: string) => url.replace('127.0.0.1', 'localhost')

/** Starts the bundle of GetPrice in a process with its variables, above these RPC URLs of the mainnet. */
function startGetPrice(rpcUrls: readonly string[], variables: Record<string, string> = {}) {
  service.parameters.set('mainnet', rpcUrls.map(toNamed).join(' '))
  const program = fileURLToPath(new URL('../support/local/own-process.ts', import.meta.url))
  const command = `mount --bind ${join(folder, 'resolv.conf')} /etc/resolv.conf && exec "$0" "$@"`
  const args = ['--mount', 'sh', '-c', command, process.execPath, program, join(folder, 'index.cjs')]
  const env = {
    // The service has set it for its own handlers.
    ...process.env,
    UV_THREADPOOL_SIZE: String(threads),
    AWS_ENDPOINT_URL_SSM: toNamed(service.parameterStore.variables.AWS_ENDPOINT_URL_SSM),
    ...variables,
  }
  const child = spawn('unshare', args, { env, stdio: ['pipe', 'pipe', 'inherit'] })
  stops.push(() => child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return async (symbol: string) => {
    child.stdin.write(`${JSON.stringify({ ...getPriceEvent, pathParameters: { symbol } })}\n`)
    return Number((await lines.next()).value)
  }
}

const healthy = () => service.chains.mainnet?.rpcUrl ?? ''

describe.runIf(canMount)('with a resolver that never replies', () => {
  beforeAll(async () => {
    service = await startService(ofEachNetwork(() => 'embedded'))
    folder = await mkdtemp(join(tmpdir(), 'price-lookup-names-'))
    buildSync({ ...bundling, entryPoints: ['lambda/handlers/get-price.ts'], outfile: join(folder, 'index.cjs') })
    await writeFile(join(folder, 'resolv.conf'), `nameserver ${nameserver}\noptions timeout:30 attempts:5\n`)
    const resolver = createSocket('udp4')
    resolver.bind(53, nameserver)
    await once(resolver, 'listening')
    stops.push(() => resolver.close())
  })
  afterAll(async () => {
    for (const stop of stops) stop()
    await rm(folder, { recursive: true })
    await service[Symbol.asyncDispose]()
  })

  test('behind two names that hang, a healthy endpoint serves every request (D24)', async () => {
    const getPrice = startGetPrice([...deadNames, healthy()])
    const statuses = []
    for (let request = 0; request < 6; request += 1) statuses.push(await getPrice('CRWD'))
    expect(statuses).toEqual(Array(6).fill(200))
  })

  test('an endpoint that was down serves again beside a name that hangs', async () => {
    let isDown = false
    await using node = await startFaultyNode(async (response, body) =>
      isDown ? response.socket?.destroy() : response.end(await forward(healthy(), body)),
    )
    const getPrice = startGetPrice([deadNames[0], node.url.href])
    expect(await getPrice('CRWD')).toBe(200)
    isDown = true
    expect([await getPrice('CRWD'), await getPrice('CRWD'), await getPrice('CRWD')]).toEqual([503, 503, 503])
    isDown = false
    expect(await getPrice('CRWD')).toBe(200)
  })

  test('beside a name that hangs, an unreadable feed alone is 502', async () => {
    await makeUnreadable(service, 'HIMS')
    const getPrice = startGetPrice([healthy(), deadNames[0]])
    for (let request = 0; request < 8; request += 1) {
      expect([await getPrice('HIMS'), await getPrice('CRWD')]).toEqual([502, 200])
    }
  })

  test('where two must agree, a name that hangs leaves two others to agree (D29)', async () => {
    await using first = await startProxyNode(healthy())
    await using second = await startProxyNode(healthy())
    const getPrice = startGetPrice([deadNames[0], first.url.href, second.url.href], { AGREEMENT: '2' })
    for (let request = 0; request < 4; request += 1) {
      expect(await getPrice('CRWD')).toBe(200)
    }
  })
})
